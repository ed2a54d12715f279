// SPDX-License-Identifier: Apache-2.0
/** Figures for people, as tables, and for programs, as JSON. */
package dev.anemone.evaluation.lab.report;
