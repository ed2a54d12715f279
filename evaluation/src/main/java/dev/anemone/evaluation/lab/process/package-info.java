// SPDX-License-Identifier: Apache-2.0
/** Programs that run in a JVM of their own, and what they cost. */
package dev.anemone.evaluation.lab.process;
