// SPDX-License-Identifier: Apache-2.0
/** The commands of experiments, and the options that they share. */
package dev.anemone.evaluation.lab.experiment;
