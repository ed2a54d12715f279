// SPDX-License-Identifier: Apache-2.0

/**
 * Names of options for Google's cloud that Nexmark's classes have in their signatures. Java looks
 * these up when it serializes a {@code NexmarkConfiguration}, which every query holds; no query that
 * runs here uses what they stand for. Their own jars bring clients for the cloud, hundreds of jars,
 * and put them into every pipeline.
 */
package org.apache.beam.sdk.extensions.gcp.options;
