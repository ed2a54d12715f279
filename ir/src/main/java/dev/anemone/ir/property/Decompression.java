// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** How the bytes of an edge are decompressed by the consumer. */
public enum Decompression implements EdgeProperty {
  NONE,
  LZ4,
  ZSTD
}
