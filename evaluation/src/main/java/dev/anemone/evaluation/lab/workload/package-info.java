// SPDX-License-Identifier: Apache-2.0
/** A shuffle of a chosen shape whose result can be checked, run as a process of its own. */
package dev.anemone.evaluation.lab.workload;
