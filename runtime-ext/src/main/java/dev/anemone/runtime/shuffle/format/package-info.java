// SPDX-License-Identifier: Apache-2.0
/**
 * Records as bytes in chunks: the unit that is compressed and has a checksum. Writers, cursors and
 * copies of chunks.
 */
package dev.anemone.runtime.shuffle.format;
