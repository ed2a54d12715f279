// SPDX-License-Identifier: Apache-2.0
/** A cluster on which sides are compared that have the same containers. */
package dev.anemone.evaluation.lab.cluster;
