// SPDX-License-Identifier: Apache-2.0
/** The command line of the experiments, evaluation/run. */
package dev.anemone.evaluation;
