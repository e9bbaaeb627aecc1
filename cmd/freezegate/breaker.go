package main

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// status shows the breaker.
func status(args []string, stdout, stderr io.Writer) int {
	f := newFlags("status", stderr)
	format := f.String("format", "text", "text or json")
	if code, over := f.parse(args, 0, stdout); over {
		return code
	}
	p, err := f.withBreaker()
	if err != nil {
		return trouble(stderr, err)
	}
	defer p.Close()
	s := p.breaker.Status()
	switch *format {
	case "text":
		word := "closed"
		if s.Open {
			word = "open"
		}
		fmt.Fprintf(stdout, "%s: %d of %d refusals in a row\n", word, s.Denies, s.Threshold)
	case "json":
		fmt.Fprintf(stdout, "{\"open\": %t, \"denies\": %d, \"threshold\": %d}\n", s.Open, s.Denies, s.Threshold)
	default:
		return trouble(stderr, fmt.Errorf("-format %q: want %q or %q", *format, "text", "json"))
	}
	if s.Open {
		return trouble(stderr, s.Why)
	}
	return exitAllow
}

// reset closes the breaker.
func reset(args []string, stdout, stderr io.Writer) int {
	f := newFlags("reset", stderr)
	why := f.String("why", "", "why it is safe to go on")
	if code, over := f.parse(args, 0, stdout); over {
		return code
	}
	p, err := f.withBreaker()
	if err != nil {
		return trouble(stderr, err)
	}
	defer p.Close()
	if err := p.breaker.Reset(*why, time.Now()); err != nil {
		return trouble(stderr, err)
	}
	fmt.Fprintln(stdout, "closed")
	return exitAllow
}

// withBreaker opens a policy that must have a breaker.
func (f flags) withBreaker() (*policy, error) {
	p, err := f.open()
	if err != nil {
		return nil, err
	}
	if p.breaker == nil {
		p.Close()
		return nil, errors.New("the freeze has no [breaker]; want one, or -breaker FILE")
	}
	return p, nil
}

func trouble(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "freezegate: %v\n", err)
	return exitTrouble
}
