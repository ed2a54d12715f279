// SPDX-License-Identifier: Apache-2.0
/** The engine as its users see it: starts jobs on Tez, in this JVM or on YARN. */
package dev.anemone.runtime.tez.client;
