/** Sorts records in pages off the heap by words that stand for them, and never moves a record. */
package dev.anemone.runtime.shuffle.sort;
