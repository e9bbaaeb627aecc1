package differential_test

import (
	"encoding/base64"
	"math/big"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// finding is something that is wrong with a value and that the validator over the loose schema does not see.
type finding struct {
	code   verdict.Code
	why    string
	beyond bool // the schema accepts it, and the decoder does not
}

// judgement gathers the findings of one document.
type judgement struct {
	*oracle
	findings []finding
	narrow   bool // a format was met that the validator reads more widely
}

func (j *judgement) find(code verdict.Code, why string) {
	j.findings = append(j.findings, finding{code, why, true})
}

// settle is v without the nulls that stand for absent members, and notes what is wrong beyond the schema.
func (j *judgement) settle(t *catalog.Type, v any) any {
	switch v := v.(type) {
	case map[string]any:
		switch t.Kind {
		case catalog.Object, catalog.Ref, catalog.Map:
			return j.members(t, v)
		}
	case []any:
		if t.Kind == catalog.List {
			out := make([]any, len(v))
			for i := range v {
				if out[i] = v[i]; !past(t, i) {
					out[i] = j.settle(t.Elem, v[i])
				}
			}
			return out
		}
	case string:
		j.text(t, v)
	}
	if text, ok := exact(v); ok {
		j.number(t, text)
	}
	if len(t.OneOf) > 0 {
		return j.choose(t, v)
	}
	return v
}

// past reports whether item i of a list of type t stands past its bound: the list is refused for that, and its items from
// there on are not looked at.
func past(t *catalog.Type, i int) bool { return t.MaxItems != nil && i >= *t.MaxItems }

func (j *judgement) members(t *catalog.Type, v map[string]any) any {
	absent := map[string]bool{}
	for _, f := range j.fields(t) {
		absent[f.Name] = f.Optional && v[f.Name] == nil
	}
	out := map[string]any{}
	for name, item := range v {
		if absent[name] {
			continue
		}
		out[name] = item
		if below := j.below(t, name); below != nil {
			out[name] = j.settle(below, item)
		}
	}
	return out
}

// choose holds v against each alternative by itself: exactly one must accept it. What the decoder refuses beyond the
// schema does not change which one that is.
func (j *judgement) choose(t *catalog.Type, v any) any {
	accepted, chosen, beyond := 0, v, []finding(nil)
	for i, s := range j.alternatives[t] {
		a := judgement{oracle: j.oracle}
		settled := a.settle(&t.OneOf[i], v)
		j.narrow = j.narrow || a.narrow
		if s.Validate(settled) != nil || !a.onlyBeyond() {
			continue
		}
		accepted++
		chosen, beyond = settled, a.findings
	}
	if accepted != 1 {
		j.findings = append(j.findings, finding{code: verdict.BadValue, why: notOne})
		return v
	}
	for _, f := range beyond {
		j.find(verdict.BadValue, f.why)
	}
	return chosen
}

func (j *judgement) onlyBeyond() bool {
	for _, f := range j.findings {
		if !f.beyond {
			return false
		}
	}
	return true
}

// number finds integers outside int64 and numbers outside float64.
func (j *judgement) number(t *catalog.Type, text string) {
	if t.Kind != catalog.Int && t.Kind != catalog.Float {
		return
	}
	x, ok := new(big.Rat).SetString(text)
	switch {
	case !ok:
		j.findings = append(j.findings, finding{why: "a number that exact arithmetic does not bear"})
	case t.Kind == catalog.Int && x.IsInt() && !x.Num().IsInt64():
		j.find(verdict.BadValue, outsideInt64)
	case t.Kind == catalog.Float && x.Abs(x).Cmp(infinity()) >= 0:
		j.find(verdict.BadValue, outsideFloat64)
	}
}

// infinity is the least number that rounds to an infinity: the middle between the largest float64 and the one that would
// come after it.
func infinity() *big.Rat {
	n := new(big.Int).Lsh(big.NewInt(1), 54)
	n.Sub(n, big.NewInt(1))
	return new(big.Rat).SetInt(n.Lsh(n, 970))
}

// text finds what the specification makes narrower than the schema, and formats that the validator reads more widely.
func (j *judgement) text(t *catalog.Type, s string) {
	switch t.Kind {
	case catalog.Bytes:
		if _, err := base64.StdEncoding.Strict().DecodeString(s); err != nil || strings.ContainsAny(s, "\r\n") {
			j.find(verdict.BadValue, notBase64)
		}
	case catalog.Content:
		if len(s) > t.MaxBytes {
			j.find(verdict.TooLarge, contentOverCap)
		}
	case catalog.String:
		if why := j.wider(t.Format, s); why != "" && j.formats[t.Format].Validate(s) == nil {
			j.narrow = true
			j.findings = append(j.findings, finding{code: verdict.BadValue, why: why})
		}
	}
}

// wider says in which way the validator takes s for a text of the format though the standards do not; "" where it does
// not. These are all the ways.
func (o *oracle) wider(format, s string) string {
	switch format {
	case "uri":
		if !o.uri.MatchString(s) {
			return widerURI
		}
	case "email":
		if strings.HasPrefix(s, "@") {
			return widerEmail
		}
		if at := strings.LastIndex(s, "@["); at >= 0 && strings.ContainsAny(s[at:], "+-") {
			return widerEmailSign
		}
	case "ipv4":
		if strings.ContainsAny(s, "+-") {
			return widerIPv4
		}
	case "date-time":
		if len(s) >= 20 && (strings.ContainsAny(s[11:19], "+-") || strings.ContainsAny(s[len(s)-5:], "+-")) {
			return widerTime
		}
	}
	return ""
}

// uriText is RFC 3986 as far as it says which characters stand where: a scheme, perhaps an authority, which alone may hold
// brackets, and what follows, with one fragment.
const uriText = `^[A-Za-z][A-Za-z0-9+.-]*:(//([A-Za-z0-9\-._~!$&'()*+,;=:@\[\]]|%[0-9A-Fa-f]{2})*)?` +
	`([A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*(#([A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?$`
