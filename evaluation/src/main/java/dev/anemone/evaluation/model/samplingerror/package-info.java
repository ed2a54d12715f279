// SPDX-License-Identifier: Apache-2.0
/** How well a few producer tasks tell what all of them have for each consumer. */
package dev.anemone.evaluation.model.samplingerror;
