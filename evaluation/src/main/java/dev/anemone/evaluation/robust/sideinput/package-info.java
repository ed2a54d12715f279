// SPDX-License-Identifier: Apache-2.0
/** A side input that is larger than the heap. */
package dev.anemone.evaluation.robust.sideinput;
