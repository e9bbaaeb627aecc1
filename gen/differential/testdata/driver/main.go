// Command driver reads documents with generated decoders and says what they found. On standard input stand frames of the
// number of a package and of a tool (two bytes each), the length of a document (four bytes) and the document; on standard
// output an answer to each, the length (four bytes) of its JSON and the JSON. All numbers are big-endian.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/dispatch"
	"github.com/toolfreeze/toolfreeze/runtime/encode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// generated is one generated package, as far as its exposed part goes.
type generated struct {
	catalog string
	find    func(name string) (int, dispatch.Job)
}

// reader is a generated package made ready.
type reader struct {
	generated
	catalog *catalog.Catalog
	program *decode.Program
}

// answer is what the decoder found, and where it found nothing wrong what the encoder writes once defaults are filled in.
type answer struct {
	Code    string          `json:"code"`
	Faults  []verdict.Fault `json:"faults,omitempty"`
	Written []byte          `json:"written,omitempty"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(input io.Reader, output io.Writer) error {
	in, out := bufio.NewReaderSize(input, 1<<16), bufio.NewWriterSize(output, 1<<16)
	var all []reader
	for _, g := range packages() {
		c, err := catalog.Parse(g.catalog)
		if err != nil {
			return err
		}
		p, err := decode.Compile(c)
		if err != nil {
			return err
		}
		all = append(all, reader{g, c, p})
	}
	for {
		var head [8]byte
		if _, err := io.ReadFull(in, head[:]); err == io.EOF {
			return out.Flush()
		} else if err != nil {
			return err
		}
		doc := make([]byte, binary.BigEndian.Uint32(head[4:]))
		if _, err := io.ReadFull(in, doc); err != nil {
			return err
		}
		text, err := json.Marshal(all[binary.BigEndian.Uint16(head[:])].read(int(binary.BigEndian.Uint16(head[2:])), doc))
		if err != nil {
			return err
		}
		if _, err := out.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)); err != nil {
			return err
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

// read does with a document what the gate does.
func (g *reader) read(tool int, doc []byte) (a answer) {
	defer func() {
		if v := recover(); v != nil {
			a = answer{Code: fmt.Sprint("panic: ", v)}
		}
	}()
	n, job := g.find(g.catalog.Tools[tool].Name)
	if n != tool {
		return answer{Code: fmt.Sprintf("tool %d, want %d", n, tool)}
	}
	var r decode.Reader
	r.Reset(g.program, doc, g.catalog.MaxArgsBytes)
	job.Decode(&r)
	r.End()
	a = answer{Code: r.Code().String(), Faults: r.Faults()}
	if r.Code() == verdict.OK {
		var w encode.Writer
		job.Args(&w)
		if err := w.Err(); err != nil {
			return answer{Code: "write: " + err.Error()}
		}
		a.Written = w.Document()
	}
	return a
}
