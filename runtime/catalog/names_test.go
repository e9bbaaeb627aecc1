package catalog

import (
	"encoding/json"
	"go/token"
	"strings"
	"testing"
)

// goNames are texts and what GoName makes of them.
func goNames() [][2]string {
	return [][2]string{
		{"lookup_plan", "LookupPlan"}, {"identity", "Identity"}, {"slack_id", "SlackID"}, {"ids", "IDs"}, {"urls", "URLs"},
		{"api_key_ids", "APIKeyIDs"}, {"valid", "Valid"}, {"getURLPath", "GetURLPath"}, {"maxItems", "MaxItems"},
		{"HTTPServer", "HTTPServer"}, {"apiKeyIDs", "APIKeyIDs"}, {"getIDsByName", "GetIDsByName"}, {"URLsList", "URLsList"},
		{"http2", "HTTP2"}, {"sha256", "SHA256"}, {"ipv4", "IPv4"}, {"IPv6", "IPv6"}, {"dns", "DNS"}, {"oss", "Oss"},
		{"Content-Type", "ContentType"}, {"API-get-user", "APIGetUser"}, {"calculate_BMI", "CalculateBMI"},
		{"USER_ROLE_IDS", "UserRoleIDs"}, {"EUR", "EUR"}, {"__typename", "Typename"}, {"a.b", "AB"}, {"fetch.page", "FetchPage"},
		{"get /x:y", "GetXY"}, {"don't stop", "DontStop"}, {"Euro (EUR)", "EuroEUR"}, {"don’t", "Dont"},
		{"3d", "3D"}, {"2fa_check", "2FaCheck"}, {"24-hour", "24Hour"}, {"7z", "7Z"}, {"4", "4"}, {"2id", "2ID"},
		{"+1", "Plus1"}, {"-1", "Minus1"}, {"C++", "CPlusPlus"}, {"C#", "CSharp"}, {"C", "C"}, {"<", "Less"}, {"<=", "LessEqual"},
		{"=", "Equal"}, {"!=", "NotEqual"}, {"$$", "DollarDollar"}, {">23 u", "Greater23U"}, {"*", "Star"}, {"50%", "50Percent"},
		{"UTC+1", "UTCPlus1"}, {"UTC+12", "UTCPlus12"}, {"UTC-1", "UTC1"}, {"x -1", "XMinus1"}, {"-name", "MinusName"}, {"name", "Name"},
		{"--x", "MinusMinusX"}, {"1.5", "1Point5"}, {"v1.10", "V1Point10"}, {"1-10", "1_10"}, {"110", "110"}, {"2024-01-31", "2024_01_31"},
		{".env", "DotEnv"}, {"*.go", "StarGo"}, {"->", "DashGreater"}, {"-", "Dash"}, {"...", "DotDotDot"}, {" ", "Space"},
		{`C:\t`, "CBackslashT"}, {`say "x"`, "SayX"}, {"tick`", "TickBacktick"}, {"kB", "KB"}, {"KB", "KB"},
		{"日本", "日本"}, {"élan vital", "ÉlanVital"}, {"größe", "Größe"}, {"°C", "DegreeC"}, {"👍", ""}, {"", ""}, {"\xff", ""}, {"e\u0301a", "Ea"},
		{"\");\nfunc init() {", "FuncInit"},
	}
}

func TestGoName(t *testing.T) {
	for _, c := range goNames() {
		if got := GoName(c[0]); got != c[1] {
			t.Errorf("GoName(%q): got %q, want %q", c[0], got, c[1])
		}
	}
}

func FuzzGoName(f *testing.F) {
	for _, c := range goNames() {
		f.Add(c[0])
	}
	f.Fuzz(func(t *testing.T, s string) {
		tail := GoName(s)
		if !token.IsIdentifier("X" + tail) {
			t.Errorf("GoName(%q): got %q, want what can stand behind a letter", s, tail)
		}
		if tail != GoName(strings.Clone(s)) {
			t.Errorf("GoName(%q) is not a function", s)
		}
		if name := (&Field{Name: s}).Go(); !token.IsIdentifier(name) || !token.IsExported(name) {
			t.Errorf("Go of %q: got %q, want an exported identifier", s, name)
		}
	})
}

func TestGo(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{(&Tool{Name: "2fa_check"}).Go(), "X2FaCheck"},
		{(&Tool{Name: "2fa_check", GoName: "TwoFactor"}).Go(), "TwoFactor"},
		{(&Field{Name: "3d"}).Go(), "X3D"},
		{(&Field{Name: "type"}).Go(), "Type"},
		{(&Field{Name: "日本"}).Go(), "X日本"},
		{(&Field{Name: "👍"}).Go(), "X"},
		{(&Named{Name: "plan"}).Go(), "Plan"},
		{(&Enum{Value: json.RawMessage(`""`)}).Go(), "Empty"},
		{(&Enum{Value: json.RawMessage(`"3d"`)}).Go(), "3D"},
		{(&Enum{Value: json.RawMessage(`"x"`), GoName: "Other"}).Go(), "Other"},
		{(&Enum{Value: json.RawMessage(`-1`)}).Go(), "Minus1"},
		{(&Enum{Value: json.RawMessage(`1.5`)}).Go(), "1Point5"},
		{(&Enum{Value: json.RawMessage(`-2.5e-3`)}).Go(), "Minus2Point5EMinus3"},
		{(&Enum{Value: json.RawMessage(`"\ud83d\udc4d"`)}).Go(), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestReserved(t *testing.T) {
	for _, name := range []string{"Call", "Ledger", "Gate", "Request", "Handlers", "New", "NewDry", "Option", "Limit", "Denial", "Answer", "Close", "Live", "Tools", "Catalog", "Run", "Dry", "Definitions", "DefinitionsMCP"} {
		if !Reserved(name) {
			t.Errorf("Reserved(%q): got false, want true", name)
		}
	}
	for _, name := range []string{"LookupPlan", "Search", "ReadFile", "call"} {
		if Reserved(name) {
			t.Errorf("Reserved(%q): got true, want false", name)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"max_calls", "max_ms", "read_only", "id", "plan_id"}
	for _, c := range [][2]string{
		{"Max_Calls", "max_calls"}, {"max-calls", "max_calls"}, {"maxcalls", "max_calls"}, {"max_cals", "max_calls"}, {"maxm_s", "max_ms"},
		{"readonly", "read_only"}, {"pland_id", "plan_id"}, {"ID", "id"}, {"ip", ""}, {"", ""}, {"description", ""}, {strings.Repeat("max_calls", 99), ""},
	} {
		if got := Nearest(c[0], known); got != c[1] {
			t.Errorf("Nearest(%.40q): got %q, want %q", c[0], got, c[1])
		}
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}
