package breaker

import "testing"

// BenchmarkLegalCall is what a legal call pays on an untouched closed file.
func BenchmarkLegalCall(b *testing.B) {
	k := fresh(b, 5)
	put(b, k.path, `{"denies": 0, "open": false}`)
	b.ReportAllocs()
	for b.Loop() {
		if k.Check() != nil || k.Pass() != nil {
			b.Fatal("open")
		}
	}
}

// BenchmarkLegalCallNoFile is the same before the first refusal, when there is no file yet.
func BenchmarkLegalCallNoFile(b *testing.B) {
	k := fresh(b, 5)
	b.ReportAllocs()
	for b.Loop() {
		if k.Check() != nil || k.Pass() != nil {
			b.Fatal("open")
		}
	}
}

// BenchmarkOpen is a call that is refused by an open breaker.
func BenchmarkOpen(b *testing.B) {
	k := fresh(b, 5)
	put(b, k.path, `{"denies": 5, "open": true}`)
	b.ReportAllocs()
	for b.Loop() {
		if k.Check() == nil {
			b.Fatal("closed")
		}
	}
}

// BenchmarkRead is a check after somebody else has changed the file.
func BenchmarkRead(b *testing.B) {
	k := fresh(b, 5)
	put(b, k.path, `{"denies": 0, "open": false}`)
	b.ReportAllocs()
	for b.Loop() {
		if k.Status().Open {
			b.Fatal("open")
		}
	}
}

// BenchmarkRefuse is one counted refusal, durable.
func BenchmarkRefuse(b *testing.B) {
	k := fresh(b, 1<<30)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Refuse(); err != nil {
			b.Fatal(err)
		}
	}
}
