package phrase_test

import (
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/phrase"
)

func TestHint(t *testing.T) {
	for _, test := range []struct {
		thing phrase.Thing
		got   string
		raw   string
		want  string
	}{
		{phrase.List, phrase.GotString, `"[1, 2]"`, "; send the list itself, not its JSON text"},
		{phrase.List, phrase.GotString, `" [\"a\"]\n"`, "; send the list itself, not its JSON text"},
		{phrase.List, phrase.GotString, `"a,b"`, "; send a list, even of one item"},
		{phrase.List, phrase.GotString, `""`, "; send a list, even of one item"},
		{phrase.List, phrase.GotObject, ``, "; send a list, even of one item"},
		{phrase.List, phrase.GotNull, `null`, ""},
		{phrase.Object, phrase.GotString, `"{}"`, "; send the object itself, not its JSON text"},
		{phrase.Object, phrase.GotString, `"a"`, ""},
		{phrase.Object, phrase.GotList, ``, ""},
		{phrase.Int, phrase.GotString, `"-5"`, "; send the number itself, without quotes"},
		{phrase.Float, phrase.GotString, `" 1e3 "`, "; send the number itself, without quotes"},
		{phrase.Int, phrase.GotString, `"5 years"`, ""},
		{phrase.Int, phrase.GotString, `"-"`, ""},
		{phrase.Int, phrase.GotString, `" "`, ""},
		{phrase.Bool, phrase.GotString, `"False"`, "; send it without quotes"},
		{phrase.Bool, phrase.GotString, `"yes"`, ""},
		{phrase.String, phrase.GotNumber, `5`, "; send it in quotes"},
		{phrase.Content, phrase.GotBool, `true`, "; send it in quotes"},
		{phrase.Time, phrase.GotNumber, `5`, ""},
	} {
		if got := test.thing.Hint(test.got, []byte(test.raw)); got != test.want {
			t.Errorf("%s, got %s %s: got %q, want %q", test.thing, test.got, test.raw, got, test.want)
		}
	}
}

func TestWords(t *testing.T) {
	many := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}
	for _, test := range []struct{ got, want string }{
		{phrase.OneOf([]string{"a"}, true), `"a"`},
		{phrase.OneOf([]string{"a", `b"`}, true), `one of "a", "b\""`},
		{phrase.OneOf(many, false), "one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 or 2 more"},
		{phrase.Alternatives([]string{"a string", "a list"}), "a value that fits exactly one of: a string; a list"},
		{phrase.Count(1, 64, "character"), "1 to 64 characters"},
		{phrase.Count(-1, 1, "item"), "at most 1 item"},
		{phrase.Count(0, 5, "item"), "at most 5 items"},
		{phrase.Count(1, -1, "item"), "at least 1 item"},
		{phrase.Count(2, 2, "item"), "exactly 2 items"},
		{phrase.Between("1", "100", "", ""), "a number from 1 to 100"},
		{phrase.Between("1", "", "", ""), "a number that is at least 1"},
		{phrase.Between("", "", "0", "1.5"), "a number that is above 0 and below 1.5"},
		{phrase.Between("0", "1", "", "2"), "a number that is at least 0 and at most 1 and below 2"},
		{phrase.Pattern(`^\d+$`), `text that matches the pattern ^\d+$`},
		{phrase.Pattern("a\nb"), `text that matches the pattern "a\nb"`},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
	for thing := phrase.String; thing <= phrase.List; thing++ {
		if got := thing.String(); got == "" || thing != phrase.String && got == phrase.String.String() {
			t.Errorf("thing %d: got %q, want words of its own", thing, got)
		}
	}
}
