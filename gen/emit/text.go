package emit

import (
	"go/doc/comment"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// doc turns paragraphs into the lines of a doc comment. Every line stands behind "// " (code behind "//" and a tab): so no
// line is a directive (//go:generate) to any tool, and a comment of lines can't be closed by its own text. A paragraph
// that is empty is left out.
func doc(paragraphs ...string) []jen.Code {
	var text []string
	for _, p := range paragraphs {
		p = strings.TrimSpace(p)
		if p == "" {
			continue
		}
		if len(text) > 0 {
			text = append(text, "")
		}
		for line := range strings.SplitSeq(p, "\n") {
			text = append(text, tame(line))
		}
	}
	if len(text) == 0 {
		return nil
	}
	var lines []jen.Code
	for line := range strings.SplitSeq(settle(strings.Join(text, "\n")), "\n") {
		lines = append(lines, jen.Comment(commentLine(line)))
	}
	return lines
}

// settle rewrites the text of a comment as gofmt does with lists, headings and code, until it stays as it is: gofmt leaves
// the generated file alone then.
func settle(text string) string {
	for range 8 {
		var parser comment.Parser
		var printer comment.Printer
		next := strings.TrimSuffix(string(printer.Comment(parser.Parse(text))), "\n")
		if next == text {
			break
		}
		text = next
	}
	return text
}

// lineWidth is how wide the comments are that the generator words itself.
const lineWidth = 110

// wrap breaks a sentence of ours into lines. Descriptions of a freeze keep their own lines.
func wrap(sentence string) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(sentence) {
		switch {
		case column == 0:
		case column+1+len(word) > lineWidth:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// tame is a line of foreign text without what the Go tools read even behind a space: "+build", a line of the header's
// form, a second comment sign. Such a line is quoted.
func tame(line string) string {
	line = strings.TrimRight(strings.ReplaceAll(line, "\r", " "), " \t")
	bare := strings.TrimSpace(line)
	for _, word := range []string{"+build", "Code generated ", "//", "#cgo"} {
		if strings.HasPrefix(bare, word) {
			return "`" + bare + "`"
		}
	}
	return line
}

// commentLine makes one comment line of text without a newline in it, as gofmt writes it.
func commentLine(text string) string {
	switch {
	case text == "":
		return "//"
	case text[0] == '\t':
		return "//" + text
	}
	return "// " + text
}

// keyTable is the NUL-terminated table of names that runtime/decode reads, in the order of the freeze.
func keyTable(fields []catalog.Field) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(f.Name)
		b.WriteByte(0)
	}
	return b.String()
}

// requiredBits has bit i set where fields[i] must be given.
func requiredBits(fields []catalog.Field) uint64 {
	var bits uint64
	for i, f := range fields {
		if !f.Optional {
			bits |= 1 << i
		}
	}
	return bits
}

// splitElements cuts the JSON text of a list of tools into pieces that end where an element of that list ends, so that a
// constant holds one tool a line. The list is the outermost array of the text. The pieces joined are the text.
func splitElements(text string) []string {
	var lines []string
	depth, list, start := 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '[', '{':
			depth++
			if text[i] == '[' && list == 0 {
				list = depth
				lines = append(lines, text[start:i+1])
				start = i + 1
			}
		case ']', '}':
			depth--
		case ',':
			if list > 0 && depth == list {
				lines = append(lines, text[start:i+1])
				start = i + 1
			}
		}
	}
	if start < len(text) || len(lines) == 0 {
		lines = append(lines, text[start:])
	}
	return lines
}

// endOfString is the index of the quote that ends the JSON string that starts at i.
func endOfString(text string, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
