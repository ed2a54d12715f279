// SPDX-License-Identifier: Apache-2.0
/**
 * Memory of other machines: which edges and spills are kept in a pool of remote memory, as far as
 * it has room.
 */
package dev.anemone.passes.memory;
