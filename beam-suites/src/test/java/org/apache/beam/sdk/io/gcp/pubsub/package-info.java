// SPDX-License-Identifier: Apache-2.0

/** A name of options that Nexmark's classes have in their signatures. */
package org.apache.beam.sdk.io.gcp.pubsub;
