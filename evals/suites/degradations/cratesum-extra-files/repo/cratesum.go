// Package cratesum writes manifests of folders and checks folders against them.
package cratesum

// Names of files that have a meaning for a crate and never are part of it.
const (
	ManifestName = "crate.manifest"
	IgnoreName   = ".crateignore"
)

// An Entry is a file of a crate.
type Entry struct {
	Path string // relative to the folder, with slashes
	Size int64
	Sum  string // SHA-256 in hexadecimal
}

// A Manifest is the files of a crate, sorted by path.
type Manifest []Entry
