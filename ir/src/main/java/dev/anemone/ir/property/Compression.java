// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** How the bytes of an edge are compressed by the producer. */
public enum Compression implements EdgeProperty {
  NONE,
  LZ4,
  ZSTD
}
