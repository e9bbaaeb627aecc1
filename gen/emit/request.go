package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/toolfreeze/toolfreeze/gen/toolschema"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// request writes Request, the model's Call and the dispatch switch.
func (e *emitter) request() {
	e.about("Request is one agent run: it holds the budgets and the ledger. Its methods are the tools; it is safe for concurrent use.")
	e.add(jen.Type().Id("Request").Struct(
		jen.Id("run").Op("*").Qual(dispatchPath, "Request"),
		jen.Id("gate").Op("*").Id("Gate"),
	))
	e.add(jen.Type().Defs(
		jen.Comment("// Option sets a Gate up: dispatch.WithLogger, dispatch.WithDir, dispatch.WithDry."),
		jen.Id("Option").Op("=").Qual(dispatchPath, "Option"),
		jen.Comment("// Limit lowers a budget of one Request: dispatch.MaxCalls, dispatch.ToolMaxCalls, dispatch.Dry."),
		jen.Id("Limit").Op("=").Qual(dispatchPath, "Limit"),
		jen.Comment("// Answer is what Call returns: a code, and a JSON body fit for the model."),
		jen.Id("Answer").Op("=").Qual(dispatchPath, "Answer"),
		jen.Comment("// Denial is the error of a typed call that did not end in OK; errors.Is matches its code."),
		jen.Id("Denial").Op("=").Qual(verdictPath, "Denial"),
	))
	e.about("Call takes one call of the model through the gate. Arguments of zero bytes mean {}.")
	e.add(jen.Func().Params(jen.Id("q").Op("*").Id("Request")).Id("Call").Params(
		jen.Id("ctx").Qual("context", "Context"), jen.Id("name").String(), jen.Id("args").Index().Byte(),
	).Id("Answer").Block(
		jen.Return(jen.Id("q").Dot("run").Dot("Call").Call(jen.Id("ctx"), jen.Id("name"), jen.Id("args"), jen.Id("q").Dot("find"))),
	))
	e.about("Ledger returns the record of every call of this request.")
	e.add(jen.Func().Params(jen.Id("q").Op("*").Id("Request")).Id("Ledger").Params().Op("*").Qual(ledgerPath, "Ledger").Block(
		jen.Return(jen.Id("q").Dot("run").Dot("Ledger").Call()),
	))
	e.about("find is the dispatch switch: a name that is not here does not exist.")
	e.add(jen.Func().Params(jen.Id("q").Op("*").Id("Request")).Id("find").Params(jen.Id("name").String()).Params(jen.Int(), jen.Qual(dispatchPath, "Job")).Block(
		jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
			for i := range e.cat.Tools {
				t := &e.cat.Tools[i]
				g.Case(jen.Lit(t.Name)).Block(jen.Return(jen.Lit(i), newJob(t, nil)))
			}
		}),
		jen.Return(jen.Lit(-1), jen.Nil()),
	))
}

// definition is the list of tools in one dialect.
type definition struct {
	dialect  toolschema.Dialect
	text     []byte
	warnings []toolschema.Warning
	err      error
}

// define makes the definitions of plain JSON Schema and of each provider beside the rendering, which they do not need: they
// are a good part of the work on a large freeze.
func define(c *catalog.Catalog) <-chan []definition {
	done := make(chan []definition, 1)
	go func() {
		all := []definition{{dialect: toolschema.JSONSchema}}
		for _, p := range c.Providers {
			all = append(all, definition{dialect: toolschema.Dialect(p)})
		}
		for i := range all {
			d := &all[i]
			d.text, d.warnings, d.err = toolschema.Definitions(c, d.dialect)
		}
		done <- all
	}()
	return done
}

// definitions writes the tool definitions of each dialect as constants, which nothing can change at run time.
func (e *emitter) definitions(all []definition) error {
	for _, d := range all {
		if d.err != nil {
			return d.err
		}
		for _, w := range d.warnings {
			w.Text = string(d.dialect) + ": " + w.Text
			e.warnings = append(e.warnings, w)
		}
		name := "Definitions" + dialectName(d.dialect)
		e.about(name + " is the list of tools as a model is shown it, in the " + string(d.dialect) + " dialect, in the order of the freeze.")
		e.add(jen.Const().Id(name).Op("=").Add(longString(splitElements(string(d.text)))))
	}
	return nil
}

// dialectName is the end of a constant's name.
func dialectName(d toolschema.Dialect) string {
	switch d {
	case toolschema.JSONSchema:
		return "JSONSchema"
	case toolschema.MCP:
		return "MCP"
	case toolschema.OpenAI:
		return "OpenAI"
	case toolschema.Anthropic:
		return "Anthropic"
	case toolschema.Gemini:
		return "Gemini"
	}
	return catalog.GoName(string(d))
}
