// SPDX-License-Identifier: Apache-2.0
/** Generated texts, and answers that are compared. */
package dev.anemone.evaluation.lab.data;
