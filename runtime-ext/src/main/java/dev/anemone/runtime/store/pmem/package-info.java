/** Blocks in persistent memory, which outlive a crash from their commit on. */
package dev.anemone.runtime.store.pmem;
