// Runs Lua scripts of Argo CD on the engine that it uses, with no more of Lua's library than it offers there. Each line of
// standard input is a script and an object as JSON; the line of standard output in the same place has what the script returns.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	lua "github.com/yuin/gopher-lua"
)

const (
	longestLine = 4 << 20
	// Argo CD ends a script after a second.
	timeLimit = time.Second
)

type run struct {
	Script string         `json:"script"`
	Object map[string]any `json:"object"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longestLine)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var next run
		err := json.Unmarshal(lines.Bytes(), &next)
		var result any
		if err == nil {
			result, err = execute(next)
		}
		if err == nil {
			err = out.Encode(result)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func execute(next run) (any, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	deadline, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	state.SetContext(deadline)
	for name, open := range map[string]lua.LGFunction{
		lua.LoadLibName: lua.OpenPackage,
		lua.BaseLibName: lua.OpenBase,
		lua.TabLibName:  lua.OpenTable,
		lua.OsLibName:   openTime,
	} {
		state.Push(state.NewFunction(open))
		state.Push(lua.LString(name))
		state.Call(1, 0)
	}
	state.SetGlobal("obj", toLua(state, next.Object))
	if err := state.DoString(next.Script); err != nil {
		return nil, err
	}
	return fromLua(state.Get(-1)), nil
}

// Of the os library, Argo CD leaves what tells the time.
func openTime(state *lua.LState) int {
	lua.OpenOs(state)
	full := state.Get(-1).(*lua.LTable)
	safe := state.NewTable()
	for _, name := range []string{"time", "date"} {
		safe.RawSetString(name, full.RawGetString(name))
	}
	state.SetGlobal(lua.OsLibName, safe)
	state.Push(safe)
	return 1
}

func toLua(state *lua.LState, value any) lua.LValue {
	switch typed := value.(type) {
	case string:
		return lua.LString(typed)
	case float64:
		return lua.LNumber(typed)
	case bool:
		return lua.LBool(typed)
	case []any:
		table := state.NewTable()
		for _, item := range typed {
			table.Append(toLua(state, item))
		}
		return table
	case map[string]any:
		table := state.NewTable()
		for key, item := range typed {
			table.RawSetString(key, toLua(state, item))
		}
		return table
	default:
		return lua.LNil
	}
}

// A table with a first element is a list; Lua cannot tell an empty list from an empty object, which is what it becomes.
func fromLua(value lua.LValue) any {
	table, isTable := value.(*lua.LTable)
	if !isTable {
		switch typed := value.(type) {
		case lua.LString:
			return string(typed)
		case lua.LNumber:
			return float64(typed)
		case lua.LBool:
			return bool(typed)
		default:
			return nil
		}
	}
	if table.Len() > 0 {
		list := make([]any, 0, table.Len())
		table.ForEach(func(_, item lua.LValue) { list = append(list, fromLua(item)) })
		return list
	}
	object := map[string]any{}
	table.ForEach(func(key, item lua.LValue) { object[key.String()] = fromLua(item) })
	return object
}
