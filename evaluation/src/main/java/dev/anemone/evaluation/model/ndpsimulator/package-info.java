// SPDX-License-Identifier: Apache-2.0
/**
 * A discrete-event simulator of near-data processing: two clusters, the network between them, and
 * queries whose first operators run on either side.
 */
package dev.anemone.evaluation.model.ndpsimulator;
