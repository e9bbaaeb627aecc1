package tools

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/endpoint"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

//go:embed plans.json
var plansJSON []byte

// Service implements Handlers over the plans of plans.json and an SQLite database.
type Service struct {
	plans map[string]Plan
	notes *sql.DB
}

// NewService reads the plans. notes is an open database with the table that CreateNotes makes.
func NewService(notes *sql.DB) (*Service, error) {
	var rows []struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Cents int64  `json:"cents"`
	}
	if err := json.Unmarshal(plansJSON, &rows); err != nil {
		return nil, fmt.Errorf("plans.json: %w", err)
	}
	s := &Service{plans: map[string]Plan{}, notes: notes}
	for _, r := range rows {
		s.plans[r.ID] = Plan{ID: r.ID, Title: r.Title, Cents: r.Cents}
	}
	return s, nil
}

// CreateNotes makes the table of notes where it is not there yet.
func CreateNotes(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS notes (
		id INTEGER PRIMARY KEY, customer TEXT NOT NULL, text TEXT NOT NULL, pinned INTEGER NOT NULL)`)
	return err
}

// LookupPlan answers with the plan, or with missing.
func (s *Service) LookupPlan(_ context.Context, in LookupPlanArgs) (LookupPlanResult, error) {
	plan, ok := s.plans[in.PlanID]
	if !ok {
		return LookupPlanResult{Missing: true}, nil
	}
	return LookupPlanResult{Plan: &plan}, nil
}

// QuoteUpgrade prices the seats on the plan to change to.
func (s *Service) QuoteUpgrade(_ context.Context, in QuoteUpgradeArgs) (QuoteUpgradeResult, error) {
	from, to := s.plans[string(in.From)], s.plans[string(in.To)]
	if from.ID == to.ID {
		return QuoteUpgradeResult{}, verdict.Say("both plans are the same; name the plan to change to")
	}
	ratio := 0.0
	if from.Cents > 0 {
		ratio = float64(to.Cents) / float64(from.Cents)
	}
	return QuoteUpgradeResult{CentsPerMonth: to.Cents * in.Seats.Or(1), Ratio: ratio}, nil
}

// RecordNote writes one row.
func (s *Service) RecordNote(ctx context.Context, in RecordNoteArgs) (RecordNoteResult, error) {
	if s.notes == nil {
		return RecordNoteResult{}, errors.New("no database")
	}
	row, err := s.notes.ExecContext(ctx, `INSERT INTO notes (customer, text, pinned) VALUES (?, ?, ?)`,
		in.Customer, in.Text, in.Pinned.Or(false))
	if err != nil {
		return RecordNoteResult{}, err
	}
	id, err := row.LastInsertId()
	return RecordNoteResult{ID: id}, err
}

// FetchPublicStatus reads the health page; remote reaches that page and nothing else.
func (s *Service) FetchPublicStatus(ctx context.Context, remote *endpoint.Client) (FetchPublicStatusResult, error) {
	page, err := remote.Get(ctx)
	if err != nil {
		return FetchPublicStatusResult{}, err
	}
	summary := strings.TrimSpace(string(page.Body))
	if runes := []rune(summary); len(runes) > 200 {
		summary = string(runes[:200])
	}
	return FetchPublicStatusResult{Healthy: page.Status == 200, Summary: summary}, nil
}
