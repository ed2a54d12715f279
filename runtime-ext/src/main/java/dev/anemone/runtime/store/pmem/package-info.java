// SPDX-License-Identifier: Apache-2.0
/** Blocks in persistent memory, which outlive a crash from their commit on. */
package dev.anemone.runtime.store.pmem;
