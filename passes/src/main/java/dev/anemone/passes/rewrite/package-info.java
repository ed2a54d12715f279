// SPDX-License-Identifier: Apache-2.0
/**
 * Edits of the graph that save work whatever the data is: combiners before shuffles, equal vertices
 * merged, what is read alike written once.
 */
package dev.anemone.passes.rewrite;
