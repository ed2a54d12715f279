// SPDX-License-Identifier: Apache-2.0
/** Runs operators of the runner in memory, on the real service provider interface. */
package dev.anemone.beam.harness;
