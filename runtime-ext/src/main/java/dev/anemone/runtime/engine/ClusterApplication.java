// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

/**
 * An application of a cluster that runs jobs.
 *
 * @param id that the cluster has given it
 * @param name {@code anemone} for the session of a program; of a detached job its name and id
 * @param state how it stands in the cluster's words; how it ended once it has
 * @param running whether it has not ended
 * @param startedAt in milliseconds since 1970
 * @param finishedAt likewise; 0 before
 * @param page where the page of its jobs is, behind the cluster's proxy, while it runs; empty when
 *     it has none
 * @param diagnostics what the cluster says of its end; empty when it says nothing
 */
public record ClusterApplication(
    String id,
    String name,
    String state,
    boolean running,
    long startedAt,
    long finishedAt,
    String page,
    String diagnostics) {}
