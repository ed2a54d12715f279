// SPDX-License-Identifier: Apache-2.0
/**
 * What all operators have in common: they belong to a step of the pipeline, and failures of user
 * code surface as Beam says. And operators that call no user code.
 */
package dev.anemone.beam.operator.step;
