// SPDX-License-Identifier: Apache-2.0
/** Runs DoFns: plain, with state and timers, splittable, with stable input. */
package dev.anemone.beam.operator.dofn;
