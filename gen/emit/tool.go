package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

func argsName(t *catalog.Tool) string   { return t.Go() + "Args" }
func resultName(t *catalog.Tool) string { return t.Go() + "Result" }

// The unexported names put a word before the Go name, since lower-casing its first letter can make two names one.

func jobName(t *catalog.Tool) string       { return "job" + t.Go() }
func endpointField(t *catalog.Tool) string { return "url" + t.Go() }

// newJob makes the job of one call; in is the typed arguments, nil for a call of the model.
func newJob(t *catalog.Tool, in jen.Code) *jen.Statement {
	values := []jen.Code{jen.Id("gate").Op(":").Id("q").Dot("gate")}
	if in != nil {
		values = append(values, jen.Id("in").Op(":").Add(in))
	}
	return jen.Op("&").Id(jobName(t)).Values(values...)
}

// tool writes the structs, the typed method and the job of one tool.
func (e *emitter) tool(i int) {
	t := &e.cat.Tools[i]
	if len(t.Args) > 0 {
		e.object(object{name: argsName(t), about: fmt.Sprintf("%s are the arguments of %s.", argsName(t), t.Name), fields: t.Args})
	}
	if len(t.Result) > 0 {
		e.object(object{name: resultName(t), about: fmt.Sprintf("%s is the result of %s.", resultName(t), t.Name), fields: t.Result})
	}
	e.method(i, t)
	e.job(t)
}

// method writes the typed method for the application's own calls.
func (e *emitter) method(i int, t *catalog.Tool) {
	budget := fmt.Sprintf("At most %d calls a request, %d ms each.", t.MaxCalls, t.MaxMS)
	if t.MaxCalls == 1 {
		budget = fmt.Sprintf("At most 1 call a request, %d ms.", t.MaxMS)
	}
	e.about(fmt.Sprintf("%s calls %s through the gate. %s The error is a *Denial; in a dry run its code is DRY_RUN.", t.Go(), t.Name, budget), t.Description)
	params := []jen.Code{jen.Id("ctx").Qual("context", "Context")}
	var in jen.Code
	if len(t.Args) > 0 {
		params = append(params, jen.Id("in").Id(argsName(t)))
		in = jen.Id("in")
	}
	do := jen.Id("q").Dot("run").Dot("Do").Call(jen.Id("ctx"), jen.Lit(i), jen.Id("j"))
	fn := jen.Func().Params(jen.Id("q").Op("*").Id("Request")).Id(t.Go()).Params(params...).Add(results(t))
	if len(t.Result) == 0 {
		e.add(fn.Block(jen.Return(jen.Id("q").Dot("run").Dot("Do").Call(jen.Id("ctx"), jen.Lit(i), newJob(t, in)))))
		return
	}
	e.add(fn.Block(
		jen.Id("j").Op(":=").Add(newJob(t, in)),
		jen.If(jen.Err().Op(":=").Add(do), jen.Err().Op("!=").Nil()).Block(
			// The job is not read after an error: a fenced handler may still write to it.
			jen.Return(jen.Id(resultName(t)).Values(), jen.Err()),
		),
		jen.Return(jen.Id("j").Dot("out"), jen.Nil()),
	))
}

// job writes the type that carries one call through the gate's steps.
func (e *emitter) job(t *catalog.Tool) {
	name := jobName(t)
	args, result := len(t.Args) > 0, len(t.Result) > 0
	e.add(jen.Type().Id(name).StructFunc(func(g *jen.Group) {
		if !args {
			g.Qual(dispatchPath, "NoArgs")
		}
		if !result {
			g.Qual(dispatchPath, "NoResult")
		}
		g.Id("gate").Op("*").Id("Gate")
		if e.reach.paths(t.Args) {
			g.Id("paths").Op("*").Qual(spacePath, "Call")
		}
		if args {
			g.Id("in").Id(argsName(t))
		}
		if result {
			g.Id("out").Id(resultName(t))
		}
	}))
	recv := jen.Id("j").Op("*").Id(name)
	if args {
		e.add(jen.Func().Params(recv).Id("Decode").Params(reader()).BlockFunc(func(g *jen.Group) {
			g.Id("j").Dot("in").Op("=").Id(argsName(t)).Values()
			if e.reach.paths(t.Args) {
				g.Id("j").Dot("paths").Op("=").Id("j").Dot("gate").Dot("space").Dot("Call").Call(jen.Qual("context", "Background").Call())
				g.Id("r").Dot("SetPaths").Call(jen.Id("j").Dot("paths"))
			}
			g.Id("j").Dot("in").Dot("decode").Call(jen.Id("r"))
			if e.reach.fills(t.Args) {
				g.If(jen.Id("r").Dot("OK").Call()).Block(jen.Id("j").Dot("in").Dot("fill").Call())
			}
		}))
		e.add(jen.Func().Params(recv).Id("Args").Params(writer()).Block(jen.Id("j").Dot("in").Dot("write").Call(jen.Id("w"))))
	}
	e.run(t, recv)
	if result {
		e.add(jen.Func().Params(recv).Id("Result").Params(writer()).Block(jen.Id("j").Dot("out").Dot("write").Call(jen.Id("w"))))
	}
}

// run writes the method that calls the handler.
func (e *emitter) run(t *catalog.Tool, recv jen.Code) {
	call := func(g *jen.Group) *jen.Statement {
		params := []jen.Code{jen.Id("ctx")}
		if len(t.Args) > 0 {
			params = append(params, jen.Id("j").Dot("in"))
		}
		if e.reach.paths(t.Args) {
			g.Id("j").Dot("paths").Dot("Begin").Call(jen.Id("ctx"))
			g.Defer().Id("j").Dot("paths").Dot("Close").Call()
		}
		if t.CostClass == catalog.FreeNet {
			g.Id("remote").Op(":=").Id("j").Dot("gate").Dot(endpointField(t)).Dot("Open").Call(jen.Id("ctx"))
			g.Defer().Id("remote").Dot("Close").Call()
			params = append(params, jen.Id("remote"))
		}
		return jen.Id("j").Dot("gate").Dot("handlers").Dot(t.Go()).Call(params...)
	}
	fn := jen.Func().Params(recv).Id("Run").Params(jen.Id("ctx").Qual("context", "Context"))
	if len(t.Result) == 0 {
		e.add(fn.Error().BlockFunc(func(g *jen.Group) {
			c := call(g)
			g.Return(c)
		}))
		return
	}
	e.add(fn.Params(jen.Err().Error()).BlockFunc(func(g *jen.Group) {
		c := call(g)
		g.List(jen.Id("j").Dot("out"), jen.Err()).Op("=").Add(c)
		g.Return(jen.Err())
	}))
}

func reader() *jen.Statement { return jen.Id("r").Op("*").Qual(decodePath, "Reader") }
func writer() *jen.Statement { return jen.Id("w").Op("*").Qual(encodePath, "Writer") }
