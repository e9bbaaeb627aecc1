package lex

import "hash/maphash"

// Names are the sets of names of all objects that are open at one time. The innermost set is the one that grows, so all
// sets lie on one stack, and nothing is allocated once the stack has grown. The zero Names is empty.
type Names struct {
	ends  []int    // where each name ends in text; it starts where the one before ends
	text  []byte   // the names, one after the other
	slots []uint32 // the hash tables of sets with many names: 1 + the number of a name inside its set
	seed  maphash.Seed
}

// Set is one set on the stack of Names.
type Set struct {
	base  int // the number of its first name
	start int // where that starts in text
	table int // where its hash table starts in slots
	size  int // of the table, a power of two; 0 while there is none
}

// few is how many names are compared one by one. A document may hold as many as fit, so more need a table.
const few = 16

// Reset drops all sets. It keeps the memory unless that has grown large.
func (n *Names) Reset() {
	const kept = 1 << 16
	if cap(n.text) > kept || cap(n.ends) > kept || cap(n.slots) > kept {
		*n = Names{seed: n.seed}
	}
	n.ends, n.text, n.slots = n.ends[:0], n.text[:0], n.slots[:0]
}

// Open starts an empty set.
func (n *Names) Open() Set {
	return Set{base: len(n.ends), start: len(n.text), table: len(n.slots)}
}

// Close drops s and everything that was opened after it.
func (n *Names) Close(s *Set) {
	n.ends, n.text, n.slots = n.ends[:s.base], n.text[:s.start], n.slots[:s.table]
}

// Add puts name into s, the set that was opened last, and reports whether it was not there yet.
func (n *Names) Add(s *Set, name []byte) bool {
	count := len(n.ends) - s.base
	if s.size == 0 {
		if n.listed(s, name) {
			return false
		}
		n.push(name)
		if count++; count > few {
			n.build(s, 8*few)
		}
		return true
	}
	if !n.place(s, name, uint32(count+1)) {
		return false
	}
	n.push(name)
	if count++; 2*count > s.size {
		n.build(s, 2*s.size)
	}
	return true
}

func (n *Names) push(name []byte) {
	n.text = append(n.text, name...)
	n.ends = append(n.ends, len(n.text))
}

// listed looks for name among the few names of s.
func (n *Names) listed(s *Set, name []byte) bool {
	start := s.start
	for _, end := range n.ends[s.base:] {
		if string(n.text[start:end]) == string(name) {
			return true
		}
		start = end
	}
	return false
}

// build gives s a table of size slots and fills it.
func (n *Names) build(s *Set, size int) {
	if n.seed == (maphash.Seed{}) {
		n.seed = maphash.MakeSeed()
	}
	n.slots = n.slots[:s.table]
	for range size {
		n.slots = append(n.slots, 0)
	}
	s.size = size
	start := s.start
	for i, end := range n.ends[s.base:] {
		n.place(s, n.text[start:end], uint32(i+1))
		start = end
	}
}

// place puts number into the table for name, and reports whether name was not there.
func (n *Names) place(s *Set, name []byte, number uint32) bool {
	table := n.slots[s.table : s.table+s.size]
	mask := uint64(s.size - 1)
	for at := maphash.Bytes(n.seed, name) & mask; ; at = (at + 1) & mask {
		held := int(table[at])
		if held == 0 {
			table[at] = number
			return true
		}
		start := s.start
		if held > 1 {
			start = n.ends[s.base+held-2]
		}
		if string(n.text[start:n.ends[s.base+held-1]]) == string(name) {
			return false
		}
	}
}
