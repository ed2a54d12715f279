// SPDX-License-Identifier: Apache-2.0
/** Stores that make reads as slow as another disk or network would, without one. */
package dev.anemone.evaluation.lab.store;
