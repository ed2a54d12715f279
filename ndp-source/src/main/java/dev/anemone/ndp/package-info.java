// SPDX-License-Identifier: Apache-2.0
/**
 * Near-data processing: plans for the first operators of a source, the proxy that runs them beside
 * the data, and the cost model that decides when that pays. Knows the IR, but neither Beam nor Tez.
 */
package dev.anemone.ndp;
