// SPDX-License-Identifier: Apache-2.0
/** The shuffle itself, sort, spill and merge, beside that of Tez. */
package dev.anemone.evaluation.model.kernel;
