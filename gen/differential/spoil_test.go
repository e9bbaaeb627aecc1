package differential_test

import (
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// spoil changes one value of a document, mostly into one that is just outside its type, or just still inside.
func (a *author) spoil(top *node) {
	all := top.all()
	way := draw(a.t, "type", "parts", "parts", "parts", "leaf", "leaf", "leaf", "null", "junk", "broken", "depth", "text")
	switch way {
	case "parts":
		all = slices.DeleteFunc(all, func(n *node) bool { return n.open == 0 })
	case "leaf", "text":
		all = slices.DeleteFunc(all, func(n *node) bool { return n.open != 0 })
	}
	if len(all) == 0 {
		return
	}
	n := all[upTo(a.t, len(all)-1)]
	switch way {
	case "type":
		a.mistype(n)
	case "parts":
		a.reshape(n)
	case "leaf":
		if p := a.pools[n.t]; p != nil && len(p.bad) > 0 {
			n.text = draw(a.t, p.bad...)
		}
	case "null":
		*n = node{t: n.t, depth: n.depth, text: "null"}
	case "junk":
		*n = node{t: n.t, depth: n.depth, text: draw(a.t, junk()...)}
	case "broken":
		*n = node{t: n.t, depth: n.depth, text: draw(a.t, broken()...)}
	case "depth":
		levels := max(0, 31+upTo(a.t, 3)-n.depth)
		head, tail := draw(a.t, "[", `{"a":`, `[[],`), ""
		for range levels {
			tail += map[byte]string{'[': "]", '{': "}"}[head[0]]
		}
		*n = node{t: n.t, depth: n.depth, text: strings.Repeat(head, levels) + draw(a.t, "0", "[]", "{}", "\x00", "") + tail}
	case "text":
		a.edit(n)
	}
}

// mistype gives n the text of another type, such as a string that holds the list that was wanted.
func (a *author) mistype(n *node) {
	inner := string(n.write(nil, ""))
	switch draw(a.t, "quoted", "listed", "unquoted", "other") {
	case "quoted":
		*n = node{t: n.t, depth: n.depth, text: quote(inner, draw(a.t, plainly, escaped))}
	case "listed":
		*n = node{t: n.t, depth: n.depth, text: "[" + inner + "]"}
	case "unquoted":
		if s, err := strconv.Unquote(n.text); err == nil {
			n.text = s
		}
	case "other":
		*n = node{t: n.t, depth: n.depth, text: draw(a.t, "true", "0", "0.5", `"x"`, "[]", "{}", "[0]", `{"a":0}`, "1e400")}
	}
}

// edit changes a few characters of a value without parts.
func (a *author) edit(n *node) {
	if n.text == "" {
		return
	}
	runes := []rune(n.text)
	i := upTo(a.t, len(runes)-1)
	switch draw(a.t, "drop", "insert", "double") {
	case "drop":
		runes = slices.Delete(runes, i, i+1)
	case "insert":
		runes = slices.Insert(runes, i, draw(a.t, '0', '1', '9', '.', '-', '+', 'e', 'a', 'Z', ' ', '"', '\\', ':', '/', '@', '=', 'é', '\u0301', '😀', '\u2028', '\r'))
	case "double":
		runes = slices.Insert(runes, i, runes[i])
	}
	n.text = string(runes)
}

// reshape adds, drops or renames a member, or adds or drops an item.
func (a *author) reshape(n *node) {
	switch {
	case n.open == '[' && n.t != nil:
		a.relist(n)
	case n.open == '{' && len(n.parts) > 0:
		a.rename(n)
	case n.open == '{':
		n.parts = append(n.parts, part{key: draw(a.t, "", "a", "unknown"), value: a.any(n.depth + 1)})
	}
}

func (a *author) relist(n *node) {
	i := upTo(a.t, len(n.parts))
	low, high := bounds(n.t)
	switch draw(a.t, "twice", "twice", "more", "fewer", "few", "many") {
	case "twice":
		if i < len(n.parts) {
			n.parts = slices.Insert(n.parts, i, part{value: a.copy(n.parts[i].value)})
		}
	case "more":
		if n.t.Kind == catalog.List {
			n.parts = slices.Insert(n.parts, i, part{value: a.value(n.t.Elem, n.depth+1)})
		}
	case "fewer":
		if i < len(n.parts) {
			n.parts = slices.Delete(n.parts, i, i+1)
		}
	case "few":
		n.parts = n.parts[:max(0, min(len(n.parts), low-upTo(a.t, 1)))]
	case "many":
		for n.t.Kind == catalog.List && high < 9 && len(n.parts) <= high {
			n.parts = append(n.parts, part{value: a.value(n.t.Elem, n.depth+1)})
		}
	}
}

func (a *author) rename(n *node) {
	i := upTo(a.t, len(n.parts)-1)
	p := n.parts[i]
	switch draw(a.t, "drop", "twice", "unknown", "case", "escape", "null", "optional", "shuffle", "near") {
	case "drop":
		n.parts = slices.Delete(n.parts, i, i+1)
	case "twice":
		n.parts = append(n.parts, part{p.key, spelling(upTo(a.t, 2)), a.copy(p.value)})
	case "unknown":
		n.parts = slices.Insert(n.parts, i, part{key: draw(a.t, "", "unknown", "a", "extra", "key0", "😀", "\x00"), value: a.any(n.depth + 1)})
	case "case":
		n.parts[i].key = fold(p.key)
	case "near":
		n.parts[i].key = draw(a.t, p.key+" ", " "+p.key, p.key+"\u200b", p.key+"s", strings.TrimSuffix(p.key, "s"), p.key+"\u0301")
	case "escape":
		n.parts[i].how = draw(a.t, escaped, mixed)
	case "null":
		n.parts[i].value = &node{t: p.value.t, depth: n.depth + 1, text: "null"}
	case "optional":
		for _, f := range a.fieldsOf(n.t) {
			if f.Optional && !slices.ContainsFunc(n.parts, func(p part) bool { return p.key == f.Name }) {
				n.parts = append(n.parts, part{key: f.Name, value: &node{depth: n.depth + 1, text: "null"}})
			}
		}
	case "shuffle":
		n.parts = rapid.Permutation(n.parts).Draw(a.t, "order")
	}
}

// fold is key in another case, also by the characters that fold to ASCII.
func fold(key string) string {
	if up := strings.ToUpper(key); up != key {
		return strings.NewReplacer("K", "\u212a", "S", "ſ").Replace(up)
	}
	return strings.ToLower(key)
}
