// SPDX-License-Identifier: Apache-2.0
/**
 * Tables of sorted records on local disk: {@link dev.anemone.runtime.spi.RecordTable} over a block
 * that the kernel of the shuffle sorts, with a sparse index and a cache of chunks.
 */
package dev.anemone.runtime.table;
