// SPDX-License-Identifier: Apache-2.0
/** The engine on Apache Tez: lowering of stages to a Tez DAG, and the plug-ins that run in it. */
package dev.anemone.runtime.tez;
