package catalog

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What an object and a type may hold.
const (
	maxName    = 128 // bytes of a member's name, of a type's name and of a Go name
	maxMembers = 64  // a decoder keeps one bit a member
	maxNesting = 16  // half of what a document may nest
	maxLength  = 1_000_000_000
)

// toolRule is what a provider demands of a tool's name, as its documentation says it, and how many characters that allows.
func toolRule(provider string) (rule string, most int) {
	switch provider {
	case "openai", "anthropic":
		return `^[a-zA-Z0-9_-]{1,64}$`, 64
	case "mcp":
		return `^[A-Za-z0-9_.-]{1,128}$`, 128
	case "gemini":
		return `^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$`, 64
	}
	return "", 0
}

// argumentRule is what a provider demands of the name of every member of the arguments, at any depth. The one rule is the
// text of Anthropic's own error, which refuses the whole list of tools.
func argumentRule(provider string) (rule string, most int) {
	if provider == "anthropic" {
		return `^[a-zA-Z0-9_.-]{1,64}$`, 64
	}
	return "", 0
}

// nameRule is one rule made ready, once for all names.
type nameRule struct {
	text      string
	most      int // characters
	providers []string
	match     *regexp.Regexp
}

// nameRules are the rules of the declared providers, each once. An unknown provider has none, and is a problem of its own.
func nameRules(providers []string, of func(provider string) (string, int)) (rules []nameRule) {
	for _, p := range providers {
		text, most := of(p)
		if i := slices.IndexFunc(rules, func(r nameRule) bool { return r.text == text }); i >= 0 {
			if !slices.Contains(rules[i].providers, p) {
				rules[i].providers = append(rules[i].providers, p)
			}
		} else if re, err := regexp.Compile(text); err == nil && text != "" {
			rules = append(rules, nameRule{text, most, []string{p}, re})
		}
	}
	return rules
}

// refused says which rules a name does not satisfy, in the words of a problem. who are their providers; text is "" where
// there are none.
func refused(rules []nameRule, what, name string) (text, who string) {
	var wants, all []string
	length, n := "", utf8.RuneCountInString(name)
	for _, r := range rules {
		if r.match.MatchString(name) {
			continue
		}
		if n > r.most {
			length = fmt.Sprintf(" of %d characters", n)
		}
		wants = append(wants, fmt.Sprintf("%s (the rule of %s)", r.text, andList(r.providers)))
		all = append(all, r.providers...)
	}
	if wants == nil {
		return "", ""
	}
	return fmt.Sprintf("got the %s %s%s, want %s", what, shown(name), length, strings.Join(wants, " and ")), andList(all)
}

// andList joins words with commas and an and.
func andList(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// TakesArgument reports whether a provider takes arguments that have a member of that name, at whatever depth.
func TakesArgument(provider, name string) bool {
	text, _ := refused(nameRules([]string{provider}, argumentRule), "", name)
	return text == ""
}

// SpellToolName returns the spelling of a tool's name that all of the providers take: the name itself, else one with "_"
// for what they refuse. It is "" where no such spelling says the same, as for letters of other scripts or a name that is
// too long.
func SpellToolName(name string, providers []string) string {
	rules := nameRules(providers, toolRule)
	if text, _ := refused(rules, "", name); text == "" {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= utf8.RuneSelf:
			return ""
		case r == '-' || wordRune(r):
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	for _, spelled := range []string{b.String(), "_" + b.String()} {
		if text, _ := refused(rules, "", spelled); text == "" && strings.Trim(spelled, "_-") != "" {
			return spelled
		}
	}
	return ""
}

// tool checks what a tool says of itself, its members aside.
func (k *checker) tool(i int) {
	t := &k.c.Tools[i]
	at := keys("tools", t.Name)
	k.toolName(at, i)
	k.prose(in(at, "description"), t.Description)
	k.number(in(at, "max_calls"), t.MaxCalls, maxBudget)
	k.number(in(at, "max_ms"), t.MaxMS, maxMS)
	switch t.CostClass {
	case Local:
		if t.AllowURL != "" {
			k.add(in(at, "allow_url"), "take the URL out, or make the tool free_net", "got a URL on a local tool, want none: a local tool reaches no network")
		}
		if t.MaxResponseBytes != 0 {
			k.add(in(at, "max_response_bytes"), "take it out", "got it on a local tool, want it on a free_net tool only")
		}
	case FreeNet:
		if text, hint := urlFault(t.AllowURL); text != "" {
			k.add(in(at, "allow_url"), hint, "%s", text)
		}
		k.number(in(at, "max_response_bytes"), t.MaxResponseBytes, maxBudget)
	case "":
		k.add(in(at, "cost_class"), "a person decides this: local reaches no network, free_net only its allow_url", "got no cost class, want %q or %q", Local, FreeNet)
	case "forbidden":
		k.add(in(at, "cost_class"), "delete the tool from the freeze", "got %q, want %q or %q: what is forbidden is not in a freeze at all", t.CostClass, Local, FreeNet)
	default:
		k.add(in(at, "cost_class"), didYouMean(t.CostClass, []string{Local, FreeNet}), "got %s, want %q or %q", shown(t.CostClass), Local, FreeNet)
	}
	if t.ReadOnly != nil && *t.ReadOnly && t.Destructive != nil && *t.Destructive {
		k.clash(in(at, "destructive"), in(at, "read_only"), "take destructive out, or read_only where the tool changes something", "got both read_only and destructive, want one")
	}
	k.members(in(at, "args"), t.Args)
	k.members(in(at, "result"), t.Result)
}

// toolName holds a name against every declared provider and against the names before it.
func (k *checker) toolName(at []string, i int) {
	name := k.c.Tools[i].Name
	if f := flaw(name, false); f != "" || name == "" {
		k.add(at, "", "got the tool name %s, want letters, digits, %q and %q", shown(name), "_", "-")
		return
	}
	if text, who := refused(k.rules, "tool name", name); text != "" {
		hint := "rename the tool, or take " + who + " out of providers"
		spelled := SpellToolName(name, k.c.Providers)
		others := k.count[fold(spelled)]
		if fold(spelled) == fold(name) {
			others-- // the tool itself
		}
		if spelled != "" && others == 0 {
			hint = "write " + spelled
		}
		k.add(at, hint, "%s", text)
	}
	first, taken := k.folded[fold(name)]
	if taken {
		other := k.c.Tools[first].Name
		k.clash(at, keys("tools", other), "rename one of the two", "got the tools %q and %q, want names that differ in more than case and in more than -, . and _", other, name)
		return
	}
	k.folded[fold(name)] = i
}

// named checks what a type of [types] says of itself.
func (k *checker) named(i int) {
	n := &k.c.Types[i]
	at := keys("types", n.Name)
	if text, hint := k.typeNameFault(n); text != "" {
		k.add(at, hint, "%s", text)
	}
	k.prose(in(at, "description"), n.Description)
	k.members(in(at, "fields"), n.Fields)
}

// typeNameFault says why a type can't have its name.
func (k *checker) typeNameFault(n *Named) (text, hint string) {
	switch {
	case !typeName(n.Name):
		return fmt.Sprintf("got the type name %s, want a letter, then letters, digits and _, at most %d", shown(n.Name), maxName), ""
	case slices.Contains(kinds(), Kind(n.Name)):
		return fmt.Sprintf("got the type name %q, want another: it is a type already", n.Name), "name it after what it is, such as \"Plan\""
	case k.c.TypeNamed(n.Name) != n:
		return fmt.Sprintf("got the type %q twice, want it once", n.Name), ""
	}
	return "", ""
}

// typeName reports whether name can stand in "[]name?".
func typeName(name string) bool { return groupName(name) && name[0] != '_' && len(name) <= maxName }

// members checks the members of one object against each other.
func (k *checker) members(at []string, fields []Field) {
	if len(fields) > maxMembers {
		k.add(in(at, fields[maxMembers].Name), "group members in an object of their own", "got %d members, want at most %d", len(fields), maxMembers)
	}
	seen := map[string]bool{}
	for i := range fields {
		if name := fields[i].Name; seen[name] {
			k.add(in(at, name), "", "got the member %s twice, want it once", shown(name))
		}
		seen[fields[i].Name] = true
	}
}

// memberFault says why no member can have a name.
func memberFault(name string) string {
	if text := flaw(name, false); text != "" {
		return "member name: " + text
	}
	switch {
	case name == "" || len(name) > maxName:
		return fmt.Sprintf("got a member name of %d bytes, want 1 to %d", len(name), maxName)
	case strings.ContainsAny(name, "\u200c\u200d"):
		return fmt.Sprintf("got an invisible joiner in the member name %s, want a name that can be told from others", shown(name))
	}
	return ""
}

// member checks what a member says of itself.
func (k *checker) member(at []string, f *Field) {
	if text := memberFault(f.Name); text != "" {
		k.add(at, "", "%s", text)
	}
	k.prose(in(at, "description"), f.Description)
	if f.Default == nil {
		return
	}
	switch {
	case !json.Valid(f.Default) || string(f.Default) == "null":
		k.add(in(at, "default"), "leave it out", "got no value, want one of the member's type")
	case !f.Optional:
		k.add(in(at, "default"), "take the default out, or make the member optional", "got a default on a required member, which would never be used")
	}
}

// argument holds the name of a member against the rules for arguments. also is where an argument names the type that the
// member belongs to; nil for a member of the tool's own table.
func (k *checker) argument(at, also []string, f *Field) {
	text, who := refused(k.args, "argument name", f.Name)
	if text == "" || memberFault(f.Name) != "" {
		return // the second is a problem already
	}
	hint := "rename it, or take " + who + " out of providers"
	if bare, ok := strings.CutSuffix(f.Name, "?"); ok {
		if text, _ := refused(k.args, "", bare); text == "" {
			hint = fmt.Sprintf("the ? goes behind the type: %s = %q", bare, f.Type.word()+"?")
		}
	}
	k.add(at, hint, "%s", text)
	k.problems[len(k.problems)-1].Also = slices.Clone(also)
}

// defaults refuses defaults that bring themselves: where filling one in makes an object whose own defaults lead back to
// it, there would be no end.
func (k *checker) defaults() {
	known := map[*Field]bool{}
	for i := range k.c.Types {
		n := &k.c.Types[i]
		k.fillObject(keys("types", n.Name, "fields"), n.Fields, nil, nil, known)
	}
	for i := range k.c.Tools {
		t := &k.c.Tools[i]
		k.fillObject(keys("tools", t.Name, "args"), t.Args, nil, nil, known)
	}
}

// fillObject does what generated code does with an object: it goes into the members that are given and applies the
// defaults of those that are not. applied are the defaults that brought this object; known are those that end.
func (k *checker) fillObject(at []string, fields []Field, given map[string]json.RawMessage, applied []*Field, known map[*Field]bool) {
	for i := range fields {
		f := &fields[i]
		here := in(at, f.Name)
		value, ok := given[f.Name]
		switch {
		case ok && string(value) != "null":
			k.fillValue(here, &f.Type, value, applied, known)
		case f.Default == nil || known[f]:
		case slices.Contains(applied, f):
			known[f] = true
			k.add(in(here, "default"), "make the member optional with a ? and leave the default out", "got a default that holds itself: filling it in would never end")
		default:
			k.fillValue(here, &f.Type, f.Default, append(slices.Clip(applied), f), known)
			known[f] = true
		}
	}
}

// fillValue goes into the objects of a value.
func (k *checker) fillValue(at []string, t *Type, value json.RawMessage, applied []*Field, known map[*Field]bool) {
	switch t.Kind {
	case Ref:
		if n := k.c.TypeNamed(t.Ref); n != nil {
			k.fillObject(keys("types", n.Name, "fields"), n.Fields, membersOf(value), applied, known)
		}
	case Object:
		k.fillObject(in(at, "fields"), t.Fields, membersOf(value), applied, known)
	case Map:
		for _, v := range membersOf(value) {
			k.fillValue(in(at, "values"), t.Elem, v, applied, known)
		}
	case List:
		var items []json.RawMessage
		if json.Unmarshal(value, &items) != nil {
			return // the loader refuses a default that is not of its type
		}
		for _, v := range items {
			k.fillValue(in(at, "items"), t.Elem, v, applied, known)
		}
	}
}

// membersOf splits a JSON object; nil where value is none.
func membersOf(value json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(value, &m) != nil {
		return nil
	}
	return m
}
