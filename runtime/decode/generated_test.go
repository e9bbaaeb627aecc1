package decode_test

import (
	"encoding/json"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/opt"
)

// The decoders of this file are written by hand as the generator writes them, for the tools of frozen. The tests compare
// them with the interpreter.

type lookupPlanArgs struct{ PlanID string }

func (v *lookupPlanArgs) decode(r *decode.Reader) {
	r.Object("plan_id\x00", 0b1)
	for i := r.Field(); i >= 0; i = r.Field() {
		switch i {
		case 0:
			r.String(&v.PlanID)
			r.Length(-1, 64)
		}
	}
}

type issueState string

type createIssueArgs struct {
	Title, Body, Owner, Repo string
	Milestone, Priority      int64
	Draft                    bool
	State                    issueState
	Labels                   []string
}

func (v *createIssueArgs) decode(r *decode.Reader) {
	r.Object("owner\x00repo\x00title\x00body\x00milestone\x00draft\x00state\x00labels\x00", 0b1111_1111)
	for i := r.Field(); i >= 0; i = r.Field() {
		switch i {
		case 0:
			r.String(&v.Owner)
			r.Length(1, 64)
		case 1:
			r.String(&v.Repo)
			r.Length(1, 64)
		case 2:
			r.String(&v.Title)
			r.Length(1, 256)
		case 3:
			r.String(&v.Body)
			r.Length(-1, 4096)
		case 4:
			decode.Int(r, &v.Milestone)
			r.Range(1, 1000)
		case 5:
			r.Bool(&v.Draft)
		case 6:
			decode.Enum(r, &v.State, "open\x00closed\x00")
		case 7:
			v.Labels = make([]string, 0, r.List(-1, 10, false))
			for r.Item() {
				r.String(decode.Grow(&v.Labels))
				r.Length(1, 50)
			}
		}
	}
}

type plan struct {
	ID    string
	Cents int64
	Parts []plan
}

func (v *plan) decode(r *decode.Reader) {
	r.Object("id\x00cents\x00parts\x00", 0b11)
	for i := r.Field(); i >= 0; i = r.Field() {
		switch i {
		case 0:
			r.String(&v.ID)
		case 1:
			decode.Int(r, &v.Cents)
			r.Range(0, 1<<63-1)
		case 2:
			if !r.Null() {
				v.Parts = make([]plan, 0, r.List(-1, -1, false))
				for r.Item() {
					decode.Grow(&v.Parts).decode(r)
				}
			}
		}
	}
}

type filter struct {
	State opt.Value[string]
	Limit opt.Value[int64]
	Extra map[string]json.RawMessage
}

func (v *filter) decode(r *decode.Reader) {
	r.OpenObject("state\x00limit\x00", 0b00)
	for i := r.Field(); i >= 0; i = r.Field() {
		switch i {
		case 0:
			if !r.Null() {
				r.String(v.State.Put())
			}
		case 1:
			if !r.Null() {
				decode.Int(r, v.Limit.Put())
				r.Bounds("", "10.5", "0", "")
			}
		case 2:
			r.Extra(&v.Extra)
		}
	}
}

type everythingArgs struct {
	Name   string
	Count  opt.Value[int64]
	Ratio  opt.Value[float64]
	Unit   opt.Value[string]
	Level  opt.Value[int64]
	On     bool
	At     opt.Value[time.Time]
	Blob   []byte
	File   opt.Value[string]
	Text   opt.Value[string]
	Any    json.RawMessage
	Shape  json.RawMessage
	Tags   []string
	Labels map[string]int64
	Plan   *plan
	Filter *filter
	ID     opt.Value[string]
	Grid   [][]float64
}

func (v *everythingArgs) decode(r *decode.Reader) {
	r.Object(everythingKeys, 0b100001)
	for i := r.Field(); i >= 0; i = r.Field() {
		if i == 0 {
			r.String(&v.Name)
			r.Length(1, 8)
			r.Pattern(0)
			continue
		}
		if i == 5 {
			r.Bool(&v.On)
			continue
		}
		if r.Null() {
			continue
		}
		switch i {
		case 1:
			decode.Int(r, v.Count.Put())
			r.Range(1, 100)
		case 2:
			r.Float(v.Ratio.Put())
			r.Bounds("0", "", "", "1")
		case 3:
			decode.Enum(r, v.Unit.Put(), "celsius\x00kelvin\x00")
		case 4:
			decode.Int(r, v.Level.Put())
			r.Among("1\x002\x0030\x00")
		case 6:
			r.Time(v.At.Put())
		case 7:
			r.Bytes(&v.Blob)
		case 8:
			r.Path(v.File.Put(), "", "read")
		case 9:
			r.Content(v.Text.Put(), 16)
		case 10:
			r.JSON(&v.Any)
		case 11:
			r.JSON(&v.Shape)
			r.OneOf(0)
		default:
			v.decodeNested(r, i)
		}
	}
}

func (v *everythingArgs) decodeNested(r *decode.Reader, i int) {
	switch i {
	case 12:
		v.Tags = make([]string, 0, r.List(1, 3, true))
		for r.Item() {
			r.String(decode.Grow(&v.Tags))
		}
	case 13:
		v.Labels = map[string]int64{}
		r.Map()
		for key := ""; r.Entry(&key); {
			var value int64
			decode.Int(r, &value)
			v.Labels[key] = value
		}
	case 14:
		v.Plan = new(plan)
		v.Plan.decode(r)
	case 15:
		v.Filter = new(filter)
		v.Filter.decode(r)
	case 16:
		r.String(v.ID.Put())
		r.Format("uuid")
	case 17:
		v.Grid = make([][]float64, 0, r.List(-1, -1, true))
		for r.Item() {
			row := decode.Grow(&v.Grid)
			*row = make([]float64, 0, r.List(2, 2, false))
			for r.Item() {
				r.Float(decode.Grow(row))
			}
		}
	}
}

const everythingKeys = "name\x00count\x00ratio\x00unit\x00level\x00on\x00at\x00blob\x00file\x00text\x00any\x00shape\x00tags\x00labels\x00plan\x00filter\x00id\x00grid\x00"

// decoder is one generated decoder.
type decoder interface{ decode(r *decode.Reader) }

// The tools of frozen, by number.
const (
	lookupPlan = iota
	createIssue
	everything
	anything // one json argument "v"
	nothing  // no arguments
)

type anythingArgs struct{ V json.RawMessage }

func (v *anythingArgs) decode(r *decode.Reader) {
	r.Object("v\x00", 0b1)
	for i := r.Field(); i >= 0; i = r.Field() {
		switch i {
		case 0:
			r.JSON(&v.V)
		}
	}
}

type nothingArgs struct{}

func (v *nothingArgs) decode(r *decode.Reader) {
	r.Object("", 0)
	for i := r.Field(); i >= 0; i = r.Field() {
	}
}

// generated makes the decoder of a tool.
func generated(tool int) decoder {
	switch tool {
	case lookupPlan:
		return new(lookupPlanArgs)
	case createIssue:
		return new(createIssueArgs)
	case everything:
		return new(everythingArgs)
	case anything:
		return new(anythingArgs)
	}
	return new(nothingArgs)
}

// run decodes doc with the decoder of a tool.
func run(r *decode.Reader, p *decode.Program, tool int, doc string) decoder {
	d := generated(tool)
	r.Reset(p, []byte(doc), 8<<20)
	d.decode(r)
	r.End()
	return d
}
