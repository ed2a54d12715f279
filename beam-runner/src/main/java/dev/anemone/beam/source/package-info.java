// SPDX-License-Identifier: Apache-2.0
/** Readers of the runner's sources. */
package dev.anemone.beam.source;
