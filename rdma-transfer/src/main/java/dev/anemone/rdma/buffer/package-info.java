// SPDX-License-Identifier: Apache-2.0
/**
 * A pool of registered buffers, and streams over them: coders write straight into memory that the
 * network reads, and read straight out of memory that it has written.
 */
package dev.anemone.rdma.buffer;
