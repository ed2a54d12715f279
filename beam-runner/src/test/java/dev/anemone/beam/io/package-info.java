// SPDX-License-Identifier: Apache-2.0
/** Beam's own connectors, as people use them in batch, on the runner. */
package dev.anemone.beam.io;
