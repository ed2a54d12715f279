// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

/**
 * Where an aggregation task takes what is pushed. It goes to the vertex managers of the stages that
 * push, and from there, with others, to their tasks. Receiving it twice does no harm, and an old
 * one is told from a new one by the attempt.
 *
 * @param stage the aggregation's stage
 * @param task index of the aggregation task
 * @param attempt which attempt of it
 * @param wire what it speaks, see {@link dev.anemone.runtime.push.protocol.PushAddress#wire}
 * @param host where it listens
 * @param port where it listens
 * @param receiverId tells its receiver from any other that listened there
 */
public record ReceiverAnnouncement(
    String stage, int task, int attempt, String wire, String host, int port, String receiverId) {}
