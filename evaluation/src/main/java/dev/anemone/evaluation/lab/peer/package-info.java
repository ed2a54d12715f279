// SPDX-License-Identifier: Apache-2.0
/** Beam's other runners: their jars, and the options that serve them best. */
package dev.anemone.evaluation.lab.peer;
