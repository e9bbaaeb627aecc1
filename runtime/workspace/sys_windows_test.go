package workspace_test

import "errors"

// fifo makes nothing: a folder of Windows holds no FIFOs.
func fifo(string) error { return errors.ErrUnsupported }
