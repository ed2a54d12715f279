// SPDX-License-Identifier: Apache-2.0
/**
 * What a client needs to know of a YARN cluster before it starts a job there: its configuration,
 * the class path as files on the cluster, the division of a container's memory, and how many
 * containers there is room for. Nothing here knows the engine.
 */
package dev.anemone.runtime.tez.yarn;
