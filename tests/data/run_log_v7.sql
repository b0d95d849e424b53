-- SPDX-License-Identifier: Apache-2.0
-- A run log of format 7, as the program wrote it when that was the newest: 1 plain (validated, averaged, metered in full, traced,
-- tagged, noted), 2 resumed (made longer; its checkpoint lies in run_log_v7.checkpoints), 3 diverged, archived, 4 out of memory.
PRAGMA application_id = 1097032562;
PRAGMA user_version = 7;
BEGIN TRANSACTION;
CREATE TABLE "attempts" (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    from_step INTEGER NOT NULL DEFAULT 0 CHECK (from_step >= 0),
    from_samples INTEGER NOT NULL DEFAULT 0 CHECK (from_samples >= 0),
    from_micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (from_micro_batches >= 0),
    from_epoch INTEGER NOT NULL DEFAULT 0 CHECK (from_epoch >= 0),
    from_seconds ANY NOT NULL DEFAULT 0.0,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    outcome TEXT
        CHECK (outcome IN ('completed', 'stopped', 'diverged', 'out_of_memory', 'failed')),
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    program_version TEXT NOT NULL,
    code_revision TEXT NOT NULL,
    torch_version TEXT NOT NULL DEFAULT '',
    cuda_version TEXT NOT NULL DEFAULT '',
    device TEXT NOT NULL DEFAULT '',
    device_name TEXT NOT NULL DEFAULT '',
    threads INTEGER NOT NULL DEFAULT 0 CHECK (threads >= 0),
    PRIMARY KEY (run_id, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "attempts" VALUES(1,1,0,0,0,0,0.0,1795474717242,1795474717312,'completed','bench',19574,'0.1.0','c08e7a4','2.11.0','13.0','cpu','AMD EPYC',1);
INSERT INTO "attempts" VALUES(2,1,0,0,0,0,0.0,1795474718365,1795474718448,'completed','bench',19583,'0.1.0','c08e7a4','2.11.0','13.0','cpu','AMD EPYC',1);
INSERT INTO "attempts" VALUES(2,2,5,1500,15,1,0.043723846,1795474720080,1795474720114,'completed','bench',19592,'0.1.0','c08e7a4','2.11.0','13.0','cpu','AMD EPYC',1);
INSERT INTO "attempts" VALUES(3,1,0,0,0,0,0.0,1795474721311,1795474721335,'diverged','bench',19602,'0.1.0','c08e7a4','2.11.0','13.0','cpu','AMD EPYC',1);
INSERT INTO "attempts" VALUES(4,1,0,0,0,0,0.0,1795474722513,1795474722515,'out_of_memory','bench',19611,'0.1.0','c08e7a4','2.11.0','13.0','cpu','AMD EPYC',1);
CREATE TABLE checksums (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    first_step INTEGER NOT NULL,
    last_step INTEGER NOT NULL CHECK (last_step >= first_step),
    row_count INTEGER NOT NULL CHECK (row_count >= 1),
    checksum INTEGER NOT NULL,
    column_names TEXT NOT NULL,
    PRIMARY KEY (run_id, table_name, attempt, first_step)
) STRICT, WITHOUT ROWID;
INSERT INTO "checksums" VALUES(1,'attempts',0,0,0,1,1048425344,'run_id,attempt,from_step,from_samples,from_micro_batches,from_epoch,from_seconds,started_ms,ended_ms,outcome,host,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads');
INSERT INTO "checksums" VALUES(1,'evaluations',1,3,6,2,4100483867,'run_id,attempt,step,epoch,samples,micro_batches,seconds,test_loss,test_accuracy,evaluation_ms,validation_loss,validation_accuracy');
INSERT INTO "checksums" VALUES(1,'markers',1,3,6,3,8908791638,'sequence,run_id,attempt,kind,severity,step,samples,epoch,seconds,time_ms,value,text');
INSERT INTO "checksums" VALUES(1,'memory',1,1,3,11,28547504985,'run_id,attempt,step,phase,micro_batch,position,epoch,seconds,samples,begin_bytes,end_bytes,peak_bytes,peak_data_set,peak_parameters,peak_gradients,peak_optimizer_state,peak_average,peak_buffers,peak_input,peak_activations,peak_workspace,end_data_set,end_parameters,end_gradients,end_optimizer_state,end_average,end_buffers,end_input,end_activations,end_workspace,cached_bytes,other_bytes');
INSERT INTO "checksums" VALUES(1,'memory_kept',1,1,1,9,18440905965,'run_id,attempt,step,micro_batch,position,layer,bytes');
INSERT INTO "checksums" VALUES(1,'memory_owners',1,1,1,123,261937193444,'run_id,attempt,step,phase,micro_batch,position,category,layer,operation,bytes');
INSERT INTO "checksums" VALUES(1,'memory_owners',1,3,3,9,18394437843,'run_id,attempt,step,phase,micro_batch,position,category,layer,operation,bytes');
INSERT INTO "checksums" VALUES(1,'runs',0,0,0,1,3179611746,'id,token,name,note,archived,attempt,created_ms,started_ms,ended_ms,paused,outcome,message,checkpoint,recipe,host,boot_id,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads,memory_format,data_description,data_identity,train_samples,test_samples,parameters,batch_effective,batch_micro,batch_steps,batch_devices,batch_solved,smallest_slice,epoch_samples,epoch_windows,epoch_tail_samples,epoch_micro_batches,total_steps,step,samples,micro_batches,epoch,seconds,peak_bytes,last_loss,final_train_loss,final_train_accuracy,final_test_loss,final_test_accuracy,best_test_accuracy,final_validation_loss,final_validation_accuracy,best_validation_accuracy,best_step,best_metric,tags');
INSERT INTO "checksums" VALUES(1,'settings',0,0,0,69,140240598923,'run_id,key,kind,value');
INSERT INTO "checksums" VALUES(1,'steps',1,1,6,6,15570710864,'run_id,attempt,step,micro_batches,samples,epoch,seconds,window_samples,updated,loss,learning_rate,gradient_norm,step_ms,data_ms,forward_ms,backward_ms,optimizer_ms,peak_bytes');
INSERT INTO "checksums" VALUES(1,'summaries',0,0,0,14,33645062961,'run_id,metric,final,best,best_step,min,max');
INSERT INTO "checksums" VALUES(1,'traces',1,1,6,18,38977100478,'run_id,attempt,step,micro_batches,samples,epoch,seconds,checksum,value_1,value_2,value_3,value_4');
INSERT INTO "checksums" VALUES(2,'attempts',0,0,0,2,3424999497,'run_id,attempt,from_step,from_samples,from_micro_batches,from_epoch,from_seconds,started_ms,ended_ms,outcome,host,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads');
INSERT INTO "checksums" VALUES(2,'evaluations',1,4,5,2,7675849386,'run_id,attempt,step,epoch,samples,micro_batches,seconds,test_loss,test_accuracy,evaluation_ms,validation_loss,validation_accuracy');
INSERT INTO "checksums" VALUES(2,'evaluations',2,8,8,1,1269341267,'run_id,attempt,step,epoch,samples,micro_batches,seconds,test_loss,test_accuracy,evaluation_ms,validation_loss,validation_accuracy');
INSERT INTO "checksums" VALUES(2,'markers',1,4,5,3,10225981253,'sequence,run_id,attempt,kind,severity,step,samples,epoch,seconds,time_ms,value,text');
INSERT INTO "checksums" VALUES(2,'markers',2,5,8,3,5672707217,'sequence,run_id,attempt,kind,severity,step,samples,epoch,seconds,time_ms,value,text');
INSERT INTO "checksums" VALUES(2,'memory',1,1,4,5,12956312812,'run_id,attempt,step,phase,micro_batch,position,epoch,seconds,samples,begin_bytes,end_bytes,peak_bytes,peak_data_set,peak_parameters,peak_gradients,peak_optimizer_state,peak_average,peak_buffers,peak_input,peak_activations,peak_workspace,end_data_set,end_parameters,end_gradients,end_optimizer_state,end_average,end_buffers,end_input,end_activations,end_workspace,cached_bytes,other_bytes');
INSERT INTO "checksums" VALUES(2,'memory',2,6,8,5,10994858285,'run_id,attempt,step,phase,micro_batch,position,epoch,seconds,samples,begin_bytes,end_bytes,peak_bytes,peak_data_set,peak_parameters,peak_gradients,peak_optimizer_state,peak_average,peak_buffers,peak_input,peak_activations,peak_workspace,end_data_set,end_parameters,end_gradients,end_optimizer_state,end_average,end_buffers,end_input,end_activations,end_workspace,cached_bytes,other_bytes');
INSERT INTO "checksums" VALUES(2,'memory_kept',1,1,1,3,2166332950,'run_id,attempt,step,micro_batch,position,layer,bytes');
INSERT INTO "checksums" VALUES(2,'memory_kept',2,6,6,3,9451991167,'run_id,attempt,step,micro_batch,position,layer,bytes');
INSERT INTO "checksums" VALUES(2,'memory_owners',1,1,4,45,94486736254,'run_id,attempt,step,phase,micro_batch,position,category,layer,operation,bytes');
INSERT INTO "checksums" VALUES(2,'memory_owners',2,6,8,45,96157943725,'run_id,attempt,step,phase,micro_batch,position,category,layer,operation,bytes');
INSERT INTO "checksums" VALUES(2,'runs',0,0,0,1,411803034,'id,token,name,note,archived,attempt,created_ms,started_ms,ended_ms,paused,outcome,message,checkpoint,recipe,host,boot_id,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads,memory_format,data_description,data_identity,train_samples,test_samples,parameters,batch_effective,batch_micro,batch_steps,batch_devices,batch_solved,smallest_slice,epoch_samples,epoch_windows,epoch_tail_samples,epoch_micro_batches,total_steps,step,samples,micro_batches,epoch,seconds,peak_bytes,last_loss,final_train_loss,final_train_accuracy,final_test_loss,final_test_accuracy,best_test_accuracy,final_validation_loss,final_validation_accuracy,best_validation_accuracy,best_step,best_metric,tags');
INSERT INTO "checksums" VALUES(2,'settings',0,0,0,69,146871669867,'run_id,key,kind,value');
INSERT INTO "checksums" VALUES(2,'steps',1,1,5,5,10300448445,'run_id,attempt,step,micro_batches,samples,epoch,seconds,window_samples,updated,loss,learning_rate,gradient_norm,step_ms,data_ms,forward_ms,backward_ms,optimizer_ms,peak_bytes');
INSERT INTO "checksums" VALUES(2,'steps',2,6,8,3,9129604651,'run_id,attempt,step,micro_batches,samples,epoch,seconds,window_samples,updated,loss,learning_rate,gradient_norm,step_ms,data_ms,forward_ms,backward_ms,optimizer_ms,peak_bytes');
INSERT INTO "checksums" VALUES(2,'summaries',0,0,0,12,26009799932,'run_id,metric,final,best,best_step,min,max');
INSERT INTO "checksums" VALUES(3,'attempts',0,0,0,1,2440008020,'run_id,attempt,from_step,from_samples,from_micro_batches,from_epoch,from_seconds,started_ms,ended_ms,outcome,host,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads');
INSERT INTO "checksums" VALUES(3,'markers',1,3,4,2,4759535380,'sequence,run_id,attempt,kind,severity,step,samples,epoch,seconds,time_ms,value,text');
INSERT INTO "checksums" VALUES(3,'memory',1,1,1,4,13689080645,'run_id,attempt,step,phase,micro_batch,position,epoch,seconds,samples,begin_bytes,end_bytes,peak_bytes,peak_data_set,peak_parameters,peak_gradients,peak_optimizer_state,peak_average,peak_buffers,peak_input,peak_activations,peak_workspace,end_data_set,end_parameters,end_gradients,end_optimizer_state,end_average,end_buffers,end_input,end_activations,end_workspace,cached_bytes,other_bytes');
INSERT INTO "checksums" VALUES(3,'memory_kept',1,1,1,3,3926511107,'run_id,attempt,step,micro_batch,position,layer,bytes');
INSERT INTO "checksums" VALUES(3,'memory_owners',1,1,1,37,89752584336,'run_id,attempt,step,phase,micro_batch,position,category,layer,operation,bytes');
INSERT INTO "checksums" VALUES(3,'runs',0,0,0,1,2702934787,'id,token,name,note,archived,attempt,created_ms,started_ms,ended_ms,paused,outcome,message,checkpoint,recipe,host,boot_id,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads,memory_format,data_description,data_identity,train_samples,test_samples,parameters,batch_effective,batch_micro,batch_steps,batch_devices,batch_solved,smallest_slice,epoch_samples,epoch_windows,epoch_tail_samples,epoch_micro_batches,total_steps,step,samples,micro_batches,epoch,seconds,peak_bytes,last_loss,final_train_loss,final_train_accuracy,final_test_loss,final_test_accuracy,best_test_accuracy,final_validation_loss,final_validation_accuracy,best_validation_accuracy,best_step,best_metric,tags');
INSERT INTO "checksums" VALUES(3,'settings',0,0,0,69,146813603473,'run_id,key,kind,value');
INSERT INTO "checksums" VALUES(3,'steps',1,1,4,4,5307162016,'run_id,attempt,step,micro_batches,samples,epoch,seconds,window_samples,updated,loss,learning_rate,gradient_norm,step_ms,data_ms,forward_ms,backward_ms,optimizer_ms,peak_bytes');
INSERT INTO "checksums" VALUES(3,'summaries',0,0,0,10,17095764281,'run_id,metric,final,best,best_step,min,max');
INSERT INTO "checksums" VALUES(4,'attempts',0,0,0,1,2351207515,'run_id,attempt,from_step,from_samples,from_micro_batches,from_epoch,from_seconds,started_ms,ended_ms,outcome,host,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads');
INSERT INTO "checksums" VALUES(4,'markers',1,0,0,1,846218965,'sequence,run_id,attempt,kind,severity,step,samples,epoch,seconds,time_ms,value,text');
INSERT INTO "checksums" VALUES(4,'runs',0,0,0,1,46500118,'id,token,name,note,archived,attempt,created_ms,started_ms,ended_ms,paused,outcome,message,checkpoint,recipe,host,boot_id,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads,memory_format,data_description,data_identity,train_samples,test_samples,parameters,batch_effective,batch_micro,batch_steps,batch_devices,batch_solved,smallest_slice,epoch_samples,epoch_windows,epoch_tail_samples,epoch_micro_batches,total_steps,step,samples,micro_batches,epoch,seconds,peak_bytes,last_loss,final_train_loss,final_train_accuracy,final_test_loss,final_test_accuracy,best_test_accuracy,final_validation_loss,final_validation_accuracy,best_validation_accuracy,best_step,best_metric,tags');
INSERT INTO "checksums" VALUES(4,'settings',0,0,0,69,148524188770,'run_id,key,kind,value');
CREATE TABLE epochs (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    seconds ANY NOT NULL,
    train_loss ANY NOT NULL,
    train_accuracy ANY NOT NULL,
    PRIMARY KEY (run_id, epoch, attempt)
) STRICT, WITHOUT ROWID;
CREATE TABLE evaluations (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    seconds ANY NOT NULL,
    test_loss ANY NOT NULL,
    test_accuracy ANY NOT NULL,
    evaluation_ms ANY NOT NULL, validation_loss ANY, validation_accuracy ANY,
    PRIMARY KEY (run_id, step, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "evaluations" VALUES(1,1,3,1,900,9,0.025112822,2.18593136596679693539e+00,0.154,7.33050299999999843691e+00,2.15652796427408866009e+00,1.69166666666666659635e-01);
INSERT INTO "evaluations" VALUES(1,1,6,1,1800,18,0.047128647,1.98062918090820305749e+00,0.2455,8.25964700000000107138e+00,1.94224561055501299122e+00,0.2625);
INSERT INTO "evaluations" VALUES(2,1,4,1,1200,12,0.027279904,2.07654614257812486499e+00,0.2035,8.338984,NULL,NULL);
INSERT INTO "evaluations" VALUES(2,1,5,1,1500,15,0.043625863,2.00362570190429689631e+00,0.2485,1.1474381999999998527e+01,NULL,NULL);
INSERT INTO "evaluations" VALUES(2,2,8,1,2400,24,0.055336165,1.81286807250976567118e+00,0.299,2.13721599999999734009e+00,NULL,NULL);
CREATE TABLE markers (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('checkpoint', 'learning_rate', 'paused', 'resumed',
        'message', 'ended', 'continued', 'out_of_memory')),
    severity TEXT NOT NULL CHECK (severity IN ('information', 'warning', 'error')),
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    time_ms INTEGER NOT NULL,
    value ANY,
    text TEXT NOT NULL
) STRICT;
INSERT INTO "markers" VALUES(1,1,1,'checkpoint','information',3,1800,1,0.047154415,1795474717293,NULL,'Saved to /srv/accrue/runs.checkpoints/run-1-eef0644c/step-000000003');
INSERT INTO "markers" VALUES(2,1,1,'checkpoint','information',6,1800,1,0.064312268,1795474717312,NULL,'Saved to /srv/accrue/runs.checkpoints/run-1-eef0644c/step-000000006');
INSERT INTO "markers" VALUES(3,1,1,'ended','information',6,1800,1,0.06461348,1795474717312,NULL,'completed');
INSERT INTO "markers" VALUES(4,2,1,'checkpoint','information',4,1500,1,0.043651962,1795474718430,NULL,'Saved to /srv/accrue/runs.checkpoints/run-2-0d6ce37d/step-000000004');
INSERT INTO "markers" VALUES(5,2,1,'checkpoint','information',5,1500,1,0.065549777,1795474718448,NULL,'Saved to /srv/accrue/runs.checkpoints/run-2-0d6ce37d/step-000000005');
INSERT INTO "markers" VALUES(6,2,1,'ended','information',5,1500,1,0.065811034,1795474718448,NULL,'completed');
INSERT INTO "markers" VALUES(7,2,2,'continued','information',5,1500,1,0.043723846,1795474720081,NULL,'Resumed as attempt 2 from step 5; run.limit_steps is now 8, before 5');
INSERT INTO "markers" VALUES(8,2,2,'checkpoint','information',8,2400,1,0.064737481,1795474720114,NULL,'Saved to /srv/accrue/runs.checkpoints/run-2-0d6ce37d/step-000000008');
INSERT INTO "markers" VALUES(9,2,2,'ended','information',8,2400,1,0.064933928,1795474720114,NULL,'completed');
INSERT INTO "markers" VALUES(10,3,1,'checkpoint','information',3,1200,1,0.015406659,1795474721335,NULL,'Saved to /srv/accrue/runs.checkpoints/run-3-f992b377/step-000000003');
INSERT INTO "markers" VALUES(11,3,1,'ended','error',4,1200,1,0.015713451,1795474721335,NULL,'The loss of step 4 is not finite; the parameters are those of step 3. A smaller optimizer.lr or a warm-up (schedule.warmup_steps) usually helps. The model is in "/srv/accrue/runs.checkpoints/run-3-f992b377/step-000000003".');
INSERT INTO "markers" VALUES(12,4,1,'ended','error',0,0,0,1.5559e-05,1795474722515,NULL,'The memory of cpu, of which memory.budget allows 3.00 MiB, was not enough; choose a smaller model or data set, or a larger memory.budget.');
CREATE TABLE "memory" (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    step INTEGER NOT NULL CHECK (step >= 0),
    phase TEXT NOT NULL
        CHECK (phase IN ('data', 'forward', 'backward', 'optimizer', 'evaluation')),
    micro_batch INTEGER NOT NULL CHECK (micro_batch >= 0),
    position INTEGER NOT NULL CHECK (position >= 0),
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    seconds ANY NOT NULL,
    samples INTEGER NOT NULL CHECK (samples >= 0),
    begin_bytes INTEGER NOT NULL CHECK (begin_bytes >= 0),
    end_bytes INTEGER NOT NULL CHECK (end_bytes >= 0),
    peak_bytes INTEGER NOT NULL CHECK (peak_bytes >= 0),
    peak_data_set INTEGER NOT NULL,
    peak_parameters INTEGER NOT NULL,
    peak_gradients INTEGER NOT NULL,
    peak_optimizer_state INTEGER NOT NULL,
    peak_average INTEGER NOT NULL,
    peak_buffers INTEGER NOT NULL,
    peak_input INTEGER NOT NULL,
    peak_activations INTEGER NOT NULL,
    peak_workspace INTEGER NOT NULL,
    end_data_set INTEGER NOT NULL,
    end_parameters INTEGER NOT NULL,
    end_gradients INTEGER NOT NULL,
    end_optimizer_state INTEGER NOT NULL,
    end_average INTEGER NOT NULL,
    end_buffers INTEGER NOT NULL,
    end_input INTEGER NOT NULL,
    end_activations INTEGER NOT NULL,
    end_workspace INTEGER NOT NULL,
    cached_bytes INTEGER NOT NULL,
    other_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, phase, micro_batch)
) STRICT, WITHOUT ROWID;
INSERT INTO "memory" VALUES(1,1,1,'backward',1,3,1,0.009076871,100,11562141,11552533,11570697,11088000,12760,12760,12760,12760,0,314400,4004,113253,11088000,12760,12760,12760,12760,0,314400,0,99093,0,0);
INSERT INTO "memory" VALUES(1,1,1,'backward',2,6,1,0.009076871,100,11562141,11552533,11570697,11088000,12760,12760,12760,12760,0,314400,4004,113253,11088000,12760,12760,12760,12760,0,314400,0,99093,0,0);
INSERT INTO "memory" VALUES(1,1,1,'backward',3,9,1,0.009076871,100,11562141,11552533,11570697,11088000,12760,12760,12760,12760,0,314400,4004,113253,11088000,12760,12760,12760,12760,0,314400,0,99093,0,0);
INSERT INTO "memory" VALUES(1,1,1,'data',1,1,1,0.009076871,100,11552533,11552533,11552533,11088000,12760,12760,12760,12760,0,314400,0,99093,11088000,12760,12760,12760,12760,0,314400,0,99093,0,0);
INSERT INTO "memory" VALUES(1,1,1,'data',2,4,1,0.009076871,100,11552533,11552533,11552533,11088000,12760,12760,12760,12760,0,314400,0,99093,11088000,12760,12760,12760,12760,0,314400,0,99093,0,0);
INSERT INTO "memory" VALUES(1,1,1,'data',3,7,1,0.009076871,100,11552533,11552533,11552533,11088000,12760,12760,12760,12760,0,314400,0,99093,11088000,12760,12760,12760,12760,0,314400,0,99093,0,0);
INSERT INTO "memory" VALUES(1,1,1,'forward',1,2,1,0.009076871,100,11552533,11562141,11562141,11088000,12760,12760,12760,12760,0,314400,9608,99093,11088000,12760,12760,12760,12760,0,314400,9608,99093,0,0);
INSERT INTO "memory" VALUES(1,1,1,'forward',2,5,1,0.009076871,100,11552533,11562141,11562141,11088000,12760,12760,12760,12760,0,314400,9608,99093,11088000,12760,12760,12760,12760,0,314400,9608,99093,0,0);
INSERT INTO "memory" VALUES(1,1,1,'forward',3,8,1,0.009076871,100,11552533,11562141,11562141,11088000,12760,12760,12760,12760,0,314400,9608,99093,11088000,12760,12760,12760,12760,0,314400,9608,99093,0,0);
INSERT INTO "memory" VALUES(1,1,1,'optimizer',0,10,1,0.009076871,300,11552533,11552533,11552558,11088000,12760,12760,12760,12760,0,314400,0,99118,11088000,12760,12760,12760,12760,0,314400,0,99093,0,0);
INSERT INTO "memory" VALUES(1,1,3,'evaluation',0,1,1,0.017736954,512,11552533,11552533,13219245,11088000,12760,12760,12760,12760,0,1924128,0,156077,11088000,12760,12760,12760,12760,0,314400,0,99093,0,0);
INSERT INTO "memory" VALUES(2,1,1,'backward',1,3,1,0.003897971,100,11546393,11536785,11554949,11088000,12760,12760,12760,0,0,314400,4004,110265,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(2,1,1,'data',1,1,1,0.003897971,100,11536785,11536785,11536785,11088000,12760,12760,12760,0,0,314400,0,96105,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(2,1,1,'forward',1,2,1,0.003897971,100,11536785,11546393,11546393,11088000,12760,12760,12760,0,0,314400,9608,96105,11088000,12760,12760,12760,0,0,314400,9608,96105,0,0);
INSERT INTO "memory" VALUES(2,1,1,'optimizer',0,4,1,0.003897971,300,11536785,11536785,11536810,11088000,12760,12760,12760,0,0,314400,0,96130,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(2,1,4,'evaluation',0,1,1,0.018921383,512,11536785,11536785,13203497,11088000,12760,12760,12760,0,0,1924128,0,153089,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(2,2,6,'backward',1,3,1,0.047455967,100,11546393,11536785,11554949,11088000,12760,12760,12760,0,0,314400,4004,110265,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(2,2,6,'data',1,1,1,0.047455967,100,11536785,11536785,11536785,11088000,12760,12760,12760,0,0,314400,0,96105,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(2,2,6,'forward',1,2,1,0.047455967,100,11536785,11546393,11546393,11088000,12760,12760,12760,0,0,314400,9608,96105,11088000,12760,12760,12760,0,0,314400,9608,96105,0,0);
INSERT INTO "memory" VALUES(2,2,6,'optimizer',0,4,1,0.047455967,300,11536785,11536785,11536810,11088000,12760,12760,12760,0,0,314400,0,96130,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(2,2,8,'evaluation',0,1,1,0.053182639,512,11536785,11536785,13203497,11088000,12760,12760,12760,0,0,1924128,0,153089,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(3,1,1,'backward',1,3,1,0.003300697,100,11546393,11536785,11554949,11088000,12760,12760,12760,0,0,314400,4004,110265,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(3,1,1,'data',1,1,1,0.003300697,100,11536785,11536785,11536785,11088000,12760,12760,12760,0,0,314400,0,96105,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
INSERT INTO "memory" VALUES(3,1,1,'forward',1,2,1,0.003300697,100,11536785,11546393,11546393,11088000,12760,12760,12760,0,0,314400,9608,96105,11088000,12760,12760,12760,0,0,314400,9608,96105,0,0);
INSERT INTO "memory" VALUES(3,1,1,'optimizer',0,4,1,0.003300697,300,11536785,11536785,11536810,11088000,12760,12760,12760,0,0,314400,0,96130,11088000,12760,12760,12760,0,0,314400,0,96105,0,0);
CREATE TABLE memory_kept (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    layer TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, micro_batch, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "memory_kept" VALUES(1,1,1,1,1,'',4008);
INSERT INTO "memory_kept" VALUES(1,1,1,1,2,'fc2',4000);
INSERT INTO "memory_kept" VALUES(1,1,1,1,3,'fc1',1600);
INSERT INTO "memory_kept" VALUES(1,1,1,2,1,'',4008);
INSERT INTO "memory_kept" VALUES(1,1,1,2,2,'fc2',4000);
INSERT INTO "memory_kept" VALUES(1,1,1,2,3,'fc1',1600);
INSERT INTO "memory_kept" VALUES(1,1,1,3,1,'',4008);
INSERT INTO "memory_kept" VALUES(1,1,1,3,2,'fc2',4000);
INSERT INTO "memory_kept" VALUES(1,1,1,3,3,'fc1',1600);
INSERT INTO "memory_kept" VALUES(2,1,1,1,1,'',4008);
INSERT INTO "memory_kept" VALUES(2,1,1,1,2,'fc2',4000);
INSERT INTO "memory_kept" VALUES(2,1,1,1,3,'fc1',1600);
INSERT INTO "memory_kept" VALUES(2,2,6,1,1,'',4008);
INSERT INTO "memory_kept" VALUES(2,2,6,1,2,'fc2',4000);
INSERT INTO "memory_kept" VALUES(2,2,6,1,3,'fc1',1600);
INSERT INTO "memory_kept" VALUES(3,1,1,1,1,'',4008);
INSERT INTO "memory_kept" VALUES(3,1,1,1,2,'fc2',4000);
INSERT INTO "memory_kept" VALUES(3,1,1,1,3,'fc1',1600);
CREATE TABLE memory_owners (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    phase TEXT NOT NULL,
    micro_batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    category TEXT NOT NULL,
    layer TEXT NOT NULL,
    operation TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, phase, micro_batch, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,10,'workspace','fc1','AddmmBackward0',12560);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,11,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,12,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',1,13,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,10,'workspace','fc1','AddmmBackward0',12560);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,11,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,12,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',2,13,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,10,'workspace','fc1','AddmmBackward0',12560);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,11,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,12,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'backward',3,13,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,10,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,11,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',1,12,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,10,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,11,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',2,12,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,10,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,11,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'data',3,12,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,10,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,11,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',1,12,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,10,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,11,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',2,12,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,10,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,11,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'forward',3,12,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,3,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,4,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,5,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,6,'workspace','order of samples','',86400);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,7,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,8,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,9,'workspace','','',12693);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,10,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,11,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,1,'optimizer',0,12,'average','ema.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(1,1,3,'evaluation',0,1,'data_set','train pictures','',8467200);
INSERT INTO "memory_owners" VALUES(1,1,3,'evaluation',0,2,'input','pictures','',1919232);
INSERT INTO "memory_owners" VALUES(1,1,3,'evaluation',0,3,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(1,1,3,'evaluation',0,4,'data_set','validation pictures','',940800);
INSERT INTO "memory_owners" VALUES(1,1,3,'evaluation',0,5,'workspace','order of samples','',102400);
INSERT INTO "memory_owners" VALUES(1,1,3,'evaluation',0,6,'data_set','train labels','',86400);
INSERT INTO "memory_owners" VALUES(1,1,3,'evaluation',0,7,'workspace','','aten::cross_entropy_loss',20488);
INSERT INTO "memory_owners" VALUES(1,1,3,'evaluation',0,8,'workspace','fc2','aten::addmm',20480);
INSERT INTO "memory_owners" VALUES(1,1,3,'evaluation',0,9,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,8,'workspace','fc1','AddmmBackward0',12560);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,9,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,1,1,'backward',1,10,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,1,1,'data',1,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,1,1,'data',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,1,1,'data',1,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(2,1,1,'data',1,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,1,1,'data',1,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(2,1,1,'data',1,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,1,1,'data',1,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(2,1,1,'data',1,8,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,1,1,'data',1,9,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,1,1,'forward',1,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,1,1,'forward',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,1,1,'forward',1,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(2,1,1,'forward',1,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,1,1,'forward',1,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(2,1,1,'forward',1,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,1,1,'forward',1,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(2,1,1,'forward',1,8,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,1,1,'forward',1,9,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,1,1,'optimizer',0,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,1,1,'optimizer',0,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,1,1,'optimizer',0,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(2,1,1,'optimizer',0,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,1,1,'optimizer',0,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(2,1,1,'optimizer',0,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,1,1,'optimizer',0,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(2,1,1,'optimizer',0,8,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,1,1,'optimizer',0,9,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,1,4,'evaluation',0,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,1,4,'evaluation',0,2,'input','pictures','',1919232);
INSERT INTO "memory_owners" VALUES(2,1,4,'evaluation',0,3,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,1,4,'evaluation',0,4,'workspace','order of samples','',112000);
INSERT INTO "memory_owners" VALUES(2,1,4,'evaluation',0,5,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,1,4,'evaluation',0,6,'workspace','','aten::cross_entropy_loss',20488);
INSERT INTO "memory_owners" VALUES(2,1,4,'evaluation',0,7,'workspace','fc2','aten::addmm',20480);
INSERT INTO "memory_owners" VALUES(2,1,4,'evaluation',0,8,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,8,'workspace','fc1','AddmmBackward0',12560);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,9,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,2,6,'backward',1,10,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,2,6,'data',1,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,2,6,'data',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,2,6,'data',1,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(2,2,6,'data',1,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,2,6,'data',1,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(2,2,6,'data',1,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,2,6,'data',1,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(2,2,6,'data',1,8,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,2,6,'data',1,9,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,2,6,'forward',1,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,2,6,'forward',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,2,6,'forward',1,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(2,2,6,'forward',1,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,2,6,'forward',1,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(2,2,6,'forward',1,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,2,6,'forward',1,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(2,2,6,'forward',1,8,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,2,6,'forward',1,9,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,2,6,'optimizer',0,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,2,6,'optimizer',0,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,2,6,'optimizer',0,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(2,2,6,'optimizer',0,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,2,6,'optimizer',0,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(2,2,6,'optimizer',0,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(2,2,6,'optimizer',0,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(2,2,6,'optimizer',0,8,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,2,6,'optimizer',0,9,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(2,2,8,'evaluation',0,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(2,2,8,'evaluation',0,2,'input','pictures','',1919232);
INSERT INTO "memory_owners" VALUES(2,2,8,'evaluation',0,3,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(2,2,8,'evaluation',0,4,'workspace','order of samples','',112000);
INSERT INTO "memory_owners" VALUES(2,2,8,'evaluation',0,5,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(2,2,8,'evaluation',0,6,'workspace','','aten::cross_entropy_loss',20488);
INSERT INTO "memory_owners" VALUES(2,2,8,'evaluation',0,7,'workspace','fc2','aten::addmm',20480);
INSERT INTO "memory_owners" VALUES(2,2,8,'evaluation',0,8,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,8,'workspace','fc1','AddmmBackward0',12560);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,9,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(3,1,1,'backward',1,10,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(3,1,1,'data',1,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(3,1,1,'data',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(3,1,1,'data',1,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(3,1,1,'data',1,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(3,1,1,'data',1,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(3,1,1,'data',1,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(3,1,1,'data',1,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(3,1,1,'data',1,8,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(3,1,1,'data',1,9,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(3,1,1,'forward',1,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(3,1,1,'forward',1,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(3,1,1,'forward',1,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(3,1,1,'forward',1,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(3,1,1,'forward',1,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(3,1,1,'forward',1,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(3,1,1,'forward',1,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(3,1,1,'forward',1,8,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(3,1,1,'forward',1,9,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(3,1,1,'optimizer',0,1,'data_set','train pictures','',9408000);
INSERT INTO "memory_owners" VALUES(3,1,1,'optimizer',0,2,'data_set','test pictures','',1568000);
INSERT INTO "memory_owners" VALUES(3,1,1,'optimizer',0,3,'input','pictures','',313600);
INSERT INTO "memory_owners" VALUES(3,1,1,'optimizer',0,4,'data_set','train labels','',96000);
INSERT INTO "memory_owners" VALUES(3,1,1,'optimizer',0,5,'workspace','order of samples','',96000);
INSERT INTO "memory_owners" VALUES(3,1,1,'optimizer',0,6,'data_set','test labels','',16000);
INSERT INTO "memory_owners" VALUES(3,1,1,'optimizer',0,7,'gradients','gradients','',12760);
INSERT INTO "memory_owners" VALUES(3,1,1,'optimizer',0,8,'parameters','fc1.weight','',12544);
INSERT INTO "memory_owners" VALUES(3,1,1,'optimizer',0,9,'optimizer_state','optimizer.momentum.fc1.weight','',12544);
CREATE TABLE "runs" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    attempt INTEGER NOT NULL DEFAULT 1 CHECK (attempt BETWEEN 1 AND 1000000),
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms INTEGER,
    paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    outcome TEXT
        CHECK (outcome IN ('completed', 'stopped', 'diverged', 'out_of_memory', 'failed')),
    message TEXT NOT NULL DEFAULT '',
    checkpoint TEXT NOT NULL DEFAULT '',
    recipe TEXT NOT NULL,
    host TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    program_version TEXT NOT NULL,
    code_revision TEXT NOT NULL,
    torch_version TEXT NOT NULL DEFAULT '',
    cuda_version TEXT NOT NULL DEFAULT '',
    device TEXT NOT NULL DEFAULT '',
    device_name TEXT NOT NULL DEFAULT '',
    threads INTEGER NOT NULL DEFAULT 0 CHECK (threads >= 0),
    memory_format TEXT NOT NULL DEFAULT '',
    data_description TEXT NOT NULL DEFAULT '',
    data_identity TEXT NOT NULL DEFAULT '',
    train_samples INTEGER NOT NULL DEFAULT 0 CHECK (train_samples >= 0),
    test_samples INTEGER NOT NULL DEFAULT 0 CHECK (test_samples >= 0),
    parameters INTEGER NOT NULL DEFAULT 0 CHECK (parameters >= 0),
    batch_effective INTEGER NOT NULL CHECK (batch_effective >= 0),
    batch_micro INTEGER NOT NULL CHECK (batch_micro >= 0),
    batch_steps INTEGER NOT NULL CHECK (batch_steps >= 0),
    batch_devices INTEGER NOT NULL CHECK (batch_devices >= 0),
    batch_solved TEXT NOT NULL,
    smallest_slice INTEGER NOT NULL CHECK (smallest_slice >= 0),
    epoch_samples INTEGER NOT NULL DEFAULT 0 CHECK (epoch_samples >= 0),
    epoch_windows INTEGER NOT NULL DEFAULT 0 CHECK (epoch_windows >= 0),
    epoch_tail_samples INTEGER NOT NULL DEFAULT 0 CHECK (epoch_tail_samples >= 0),
    epoch_micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (epoch_micro_batches >= 0),
    total_steps INTEGER NOT NULL DEFAULT 0 CHECK (total_steps >= 0),
    step INTEGER NOT NULL DEFAULT 0 CHECK (step >= 0),
    samples INTEGER NOT NULL DEFAULT 0 CHECK (samples >= 0),
    micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (micro_batches >= 0),
    epoch INTEGER NOT NULL DEFAULT 0 CHECK (epoch >= 0),
    seconds ANY NOT NULL DEFAULT 0.0,
    peak_bytes INTEGER NOT NULL DEFAULT 0 CHECK (peak_bytes >= 0),
    last_loss ANY,
    final_train_loss ANY,
    final_train_accuracy ANY,
    final_test_loss ANY,
    final_test_accuracy ANY,
    best_test_accuracy ANY,
    final_validation_loss ANY,
    final_validation_accuracy ANY,
    best_validation_accuracy ANY,
    best_step INTEGER NOT NULL DEFAULT 0 CHECK (best_step >= 0),
    best_metric TEXT AS (CASE
        WHEN best_validation_accuracy IS NOT NULL THEN 'validation_accuracy'
        WHEN best_test_accuracy IS NOT NULL THEN 'test_accuracy' END) VIRTUAL
, tags TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "runs" VALUES(1,'eef0644c056a4caafe45dbb5f17fe339','plain','two
lines',0,1,1795474717242,1795474717272,1795474717312,0,'completed','','/srv/accrue/runs.checkpoints/run-1-eef0644c/step-000000006','name = "plain"

[data]
validation = 0.1

[model]
name = "mlp"
widths = [4]

[batch]
micro = 100
steps = 3

[optimizer]
lr = 0.1
ema = 0.5

[run]
limit_steps = 6
device = "cpu"
threads = 1
evaluate_every = "3 steps"

[memory]
metering = "full"

[trace]
parameters = "first"
','bench','e09a50dd-9e06-49b0-a4e2-302f543f8ea4',19574,'0.1.0','c08e7a4','2.11.0','13.0','cpu','AMD EPYC',1,'contiguous','digits, 12 000 train and 2 000 test, 28 × 28 grey, built in, 1 200 of train held out','{"classes":["0","1","2","3","4","5","6","7","8","9"],"channels":1,"height":28,"width":28,"mean":[0.11],"stddev":[0.2335],"train_digest":"10188fd08573a45dc2188705e609dfc6","test_digest":"0d138626e7148c7f44992df1c8cbe13d"}',10800,2000,3190,300,100,3,1,'effective',1,10800,36,0,108,6,6,1800,18,1,0.06461348,11570697,1.98799565633138031195e+00,NULL,NULL,1.98062918090820305749e+00,0.2455,0.2455,1.94224561055501299122e+00,0.2625,0.2625,6,'first kept');
INSERT INTO "runs" VALUES(2,'0d6ce37dc98f413c3682d99cc428a88b','resumed','',0,2,1795474718364,1795474718410,1795474720114,0,'completed','','/srv/accrue/runs.checkpoints/run-2-0d6ce37d/step-000000008','name = "resumed"

[model]
name = "mlp"
widths = [4]

[batch]
micro = 100
steps = 3
tail = "carry"

[optimizer]
lr = 0.1

[run]
limit_steps = 8
device = "cpu"
threads = 1
evaluate_every = "4 steps"

[checkpoint]
keep = 1
','bench','e09a50dd-9e06-49b0-a4e2-302f543f8ea4',19592,'0.1.0','c08e7a4','2.11.0','13.0','cpu','AMD EPYC',1,'contiguous','digits, 12 000 train and 2 000 test, 28 × 28 grey, built in','{"classes":["0","1","2","3","4","5","6","7","8","9"],"channels":1,"height":28,"width":28,"mean":[0.11],"stddev":[0.2335],"train_digest":"10188fd08573a45dc2188705e609dfc6","test_digest":"0d138626e7148c7f44992df1c8cbe13d"}',12000,2000,3190,300,100,3,1,'effective',1,12000,40,0,120,8,8,2400,24,1,0.064933928,11554949,1.8587774658203124467e+00,NULL,NULL,1.81286807250976567118e+00,0.299,0.299,NULL,NULL,NULL,8,'');
INSERT INTO "runs" VALUES(3,'f992b377f1f78a476f4bcf65b6f0a487','diverged','',1,1,1795474721310,1795474721330,1795474721335,0,'diverged','The loss of step 4 is not finite; the parameters are those of step 3. A smaller optimizer.lr or a warm-up (schedule.warmup_steps) usually helps. The model is in "/srv/accrue/runs.checkpoints/run-3-f992b377/step-000000003".','/srv/accrue/runs.checkpoints/run-3-f992b377/step-000000003','name = "diverged"

[model]
name = "mlp"
widths = [4]

[batch]
micro = 100
steps = 3

[optimizer]
lr = 1e+09

[run]
limit_steps = 5
device = "cpu"
threads = 1
','bench','e09a50dd-9e06-49b0-a4e2-302f543f8ea4',19602,'0.1.0','c08e7a4','2.11.0','13.0','cpu','AMD EPYC',1,'contiguous','digits, 12 000 train and 2 000 test, 28 × 28 grey, built in','{"classes":["0","1","2","3","4","5","6","7","8","9"],"channels":1,"height":28,"width":28,"mean":[0.11],"stddev":[0.2335],"train_digest":"10188fd08573a45dc2188705e609dfc6","test_digest":"0d138626e7148c7f44992df1c8cbe13d"}',12000,2000,3190,300,100,3,1,'effective',1,12000,40,0,120,5,4,1200,12,1,0.015713451,11554949,'nan',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'');
INSERT INTO "runs" VALUES(4,'3626b2ddf438412f2b00f880757f7ce3','short','',0,1,1795474722513,1795474722515,1795474722515,0,'out_of_memory','The memory of cpu, of which memory.budget allows 3.00 MiB, was not enough; choose a smaller model or data set, or a larger memory.budget.','','name = "short"

[model]
name = "mlp"
widths = [4]

[batch]
micro = 3000
steps = 1

[optimizer]
lr = 0.1

[run]
limit_steps = 3
device = "cpu"
threads = 1

[checkpoint]
keep = 1

[memory]
budget = "3MiB"
','bench','e09a50dd-9e06-49b0-a4e2-302f543f8ea4',19611,'0.1.0','c08e7a4','2.11.0','13.0','cpu','AMD EPYC',1,'','','{"classes":["0","1","2","3","4","5","6","7","8","9"],"channels":1,"height":28,"width":28,"mean":[0.11],"stddev":[0.2335],"train_digest":"10188fd08573a45dc2188705e609dfc6","test_digest":"0d138626e7148c7f44992df1c8cbe13d"}',0,0,0,3000,3000,1,1,'effective',1,0,0,0,0,0,0,0,0,0,1.5559e-05,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'');
CREATE TABLE settings (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('boolean', 'integer', 'number', 'text')),
    value ANY NOT NULL,
    PRIMARY KEY (run_id, key)
) STRICT, WITHOUT ROWID;
INSERT INTO "settings" VALUES(1,'batch.devices','integer',1);
INSERT INTO "settings" VALUES(1,'batch.effective','text','auto');
INSERT INTO "settings" VALUES(1,'batch.micro','integer',100);
INSERT INTO "settings" VALUES(1,'batch.reduction','text','mean');
INSERT INTO "settings" VALUES(1,'batch.schedule','text','');
INSERT INTO "settings" VALUES(1,'batch.steps','integer',3);
INSERT INTO "settings" VALUES(1,'batch.tail','text','flush');
INSERT INTO "settings" VALUES(1,'checkpoint.best','boolean',1);
INSERT INTO "settings" VALUES(1,'checkpoint.every','text','10 minutes');
INSERT INTO "settings" VALUES(1,'checkpoint.keep','integer',2);
INSERT INTO "settings" VALUES(1,'data.augment','text','');
INSERT INTO "settings" VALUES(1,'data.fit','text','stretch');
INSERT INTO "settings" VALUES(1,'data.image_size','text','auto');
INSERT INTO "settings" VALUES(1,'data.name','text','digits');
INSERT INTO "settings" VALUES(1,'data.normalize','text','auto');
INSERT INTO "settings" VALUES(1,'data.path','text','');
INSERT INTO "settings" VALUES(1,'data.shuffle','boolean',1);
INSERT INTO "settings" VALUES(1,'data.test','integer',0);
INSERT INTO "settings" VALUES(1,'data.unreadable','text','refuse');
INSERT INTO "settings" VALUES(1,'data.validation','number',0.1);
INSERT INTO "settings" VALUES(1,'memory.budget','text','none');
INSERT INTO "settings" VALUES(1,'memory.metering','text','full');
INSERT INTO "settings" VALUES(1,'model.batchnorm_momentum','number',0.1);
INSERT INTO "settings" VALUES(1,'model.batchnorm_precise','boolean',0);
INSERT INTO "settings" VALUES(1,'model.batchnorm_window','boolean',0);
INSERT INTO "settings" VALUES(1,'model.groups','text','auto');
INSERT INTO "settings" VALUES(1,'model.init','text','torch');
INSERT INTO "settings" VALUES(1,'model.init_from','text','');
INSERT INTO "settings" VALUES(1,'model.init_sigma','number',0.02);
INSERT INTO "settings" VALUES(1,'model.name','text','mlp');
INSERT INTO "settings" VALUES(1,'model.norm','text','none');
INSERT INTO "settings" VALUES(1,'model.stem','text','imagenet');
INSERT INTO "settings" VALUES(1,'model.widths','text','4');
INSERT INTO "settings" VALUES(1,'name','text','plain');
INSERT INTO "settings" VALUES(1,'optimizer.beta1','number',0.9);
INSERT INTO "settings" VALUES(1,'optimizer.beta2','number',0.999);
INSERT INTO "settings" VALUES(1,'optimizer.clip_norm','number',0.0);
INSERT INTO "settings" VALUES(1,'optimizer.clip_value','number',0.0);
INSERT INTO "settings" VALUES(1,'optimizer.dampening','number',0.0);
INSERT INTO "settings" VALUES(1,'optimizer.decay_norm_and_bias','boolean',1);
INSERT INTO "settings" VALUES(1,'optimizer.ema','number',0.5);
INSERT INTO "settings" VALUES(1,'optimizer.eps','number',1.0e-08);
INSERT INTO "settings" VALUES(1,'optimizer.lr','number',0.1);
INSERT INTO "settings" VALUES(1,'optimizer.lr_rule','text','none');
INSERT INTO "settings" VALUES(1,'optimizer.momentum','number',0.9);
INSERT INTO "settings" VALUES(1,'optimizer.name','text','sgd');
INSERT INTO "settings" VALUES(1,'optimizer.nesterov','boolean',0);
INSERT INTO "settings" VALUES(1,'optimizer.weight_decay','number',0.0);
INSERT INTO "settings" VALUES(1,'run.deterministic','boolean',0);
INSERT INTO "settings" VALUES(1,'run.device','text','cpu');
INSERT INTO "settings" VALUES(1,'run.epochs','integer',10);
INSERT INTO "settings" VALUES(1,'run.evaluate_every','text','3 steps');
INSERT INTO "settings" VALUES(1,'run.evaluation_batch','integer',512);
INSERT INTO "settings" VALUES(1,'run.limit_steps','integer',6);
INSERT INTO "settings" VALUES(1,'run.memory_format','text','auto');
INSERT INTO "settings" VALUES(1,'run.not_finite','text','end');
INSERT INTO "settings" VALUES(1,'run.precision','text','float32');
INSERT INTO "settings" VALUES(1,'run.seed','integer',1);
INSERT INTO "settings" VALUES(1,'run.tf32','boolean',0);
INSERT INTO "settings" VALUES(1,'run.threads','integer',1);
INSERT INTO "settings" VALUES(1,'schedule.every','text','30 epochs');
INSERT INTO "settings" VALUES(1,'schedule.final_factor','number',0.0);
INSERT INTO "settings" VALUES(1,'schedule.gamma','number',0.1);
INSERT INTO "settings" VALUES(1,'schedule.milestones','text','');
INSERT INTO "settings" VALUES(1,'schedule.name','text','constant');
INSERT INTO "settings" VALUES(1,'schedule.peak_share','number',0.3);
INSERT INTO "settings" VALUES(1,'schedule.warmup_epochs','integer',0);
INSERT INTO "settings" VALUES(1,'schedule.warmup_steps','integer',0);
INSERT INTO "settings" VALUES(1,'trace.parameters','text','first');
INSERT INTO "settings" VALUES(2,'batch.devices','integer',1);
INSERT INTO "settings" VALUES(2,'batch.effective','text','auto');
INSERT INTO "settings" VALUES(2,'batch.micro','integer',100);
INSERT INTO "settings" VALUES(2,'batch.reduction','text','mean');
INSERT INTO "settings" VALUES(2,'batch.schedule','text','');
INSERT INTO "settings" VALUES(2,'batch.steps','integer',3);
INSERT INTO "settings" VALUES(2,'batch.tail','text','carry');
INSERT INTO "settings" VALUES(2,'checkpoint.best','boolean',1);
INSERT INTO "settings" VALUES(2,'checkpoint.every','text','10 minutes');
INSERT INTO "settings" VALUES(2,'checkpoint.keep','integer',1);
INSERT INTO "settings" VALUES(2,'data.augment','text','');
INSERT INTO "settings" VALUES(2,'data.fit','text','stretch');
INSERT INTO "settings" VALUES(2,'data.image_size','text','auto');
INSERT INTO "settings" VALUES(2,'data.name','text','digits');
INSERT INTO "settings" VALUES(2,'data.normalize','text','auto');
INSERT INTO "settings" VALUES(2,'data.path','text','');
INSERT INTO "settings" VALUES(2,'data.shuffle','boolean',1);
INSERT INTO "settings" VALUES(2,'data.test','integer',0);
INSERT INTO "settings" VALUES(2,'data.unreadable','text','refuse');
INSERT INTO "settings" VALUES(2,'data.validation','integer',0);
INSERT INTO "settings" VALUES(2,'memory.budget','text','none');
INSERT INTO "settings" VALUES(2,'memory.metering','text','window');
INSERT INTO "settings" VALUES(2,'model.batchnorm_momentum','number',0.1);
INSERT INTO "settings" VALUES(2,'model.batchnorm_precise','boolean',0);
INSERT INTO "settings" VALUES(2,'model.batchnorm_window','boolean',0);
INSERT INTO "settings" VALUES(2,'model.groups','text','auto');
INSERT INTO "settings" VALUES(2,'model.init','text','torch');
INSERT INTO "settings" VALUES(2,'model.init_from','text','');
INSERT INTO "settings" VALUES(2,'model.init_sigma','number',0.02);
INSERT INTO "settings" VALUES(2,'model.name','text','mlp');
INSERT INTO "settings" VALUES(2,'model.norm','text','none');
INSERT INTO "settings" VALUES(2,'model.stem','text','imagenet');
INSERT INTO "settings" VALUES(2,'model.widths','text','4');
INSERT INTO "settings" VALUES(2,'name','text','resumed');
INSERT INTO "settings" VALUES(2,'optimizer.beta1','number',0.9);
INSERT INTO "settings" VALUES(2,'optimizer.beta2','number',0.999);
INSERT INTO "settings" VALUES(2,'optimizer.clip_norm','number',0.0);
INSERT INTO "settings" VALUES(2,'optimizer.clip_value','number',0.0);
INSERT INTO "settings" VALUES(2,'optimizer.dampening','number',0.0);
INSERT INTO "settings" VALUES(2,'optimizer.decay_norm_and_bias','boolean',1);
INSERT INTO "settings" VALUES(2,'optimizer.ema','number',0.0);
INSERT INTO "settings" VALUES(2,'optimizer.eps','number',1.0e-08);
INSERT INTO "settings" VALUES(2,'optimizer.lr','number',0.1);
INSERT INTO "settings" VALUES(2,'optimizer.lr_rule','text','none');
INSERT INTO "settings" VALUES(2,'optimizer.momentum','number',0.9);
INSERT INTO "settings" VALUES(2,'optimizer.name','text','sgd');
INSERT INTO "settings" VALUES(2,'optimizer.nesterov','boolean',0);
INSERT INTO "settings" VALUES(2,'optimizer.weight_decay','number',0.0);
INSERT INTO "settings" VALUES(2,'run.deterministic','boolean',0);
INSERT INTO "settings" VALUES(2,'run.device','text','cpu');
INSERT INTO "settings" VALUES(2,'run.epochs','integer',10);
INSERT INTO "settings" VALUES(2,'run.evaluate_every','text','4 steps');
INSERT INTO "settings" VALUES(2,'run.evaluation_batch','integer',512);
INSERT INTO "settings" VALUES(2,'run.limit_steps','integer',8);
INSERT INTO "settings" VALUES(2,'run.memory_format','text','auto');
INSERT INTO "settings" VALUES(2,'run.not_finite','text','end');
INSERT INTO "settings" VALUES(2,'run.precision','text','float32');
INSERT INTO "settings" VALUES(2,'run.seed','integer',1);
INSERT INTO "settings" VALUES(2,'run.tf32','boolean',0);
INSERT INTO "settings" VALUES(2,'run.threads','integer',1);
INSERT INTO "settings" VALUES(2,'schedule.every','text','30 epochs');
INSERT INTO "settings" VALUES(2,'schedule.final_factor','number',0.0);
INSERT INTO "settings" VALUES(2,'schedule.gamma','number',0.1);
INSERT INTO "settings" VALUES(2,'schedule.milestones','text','');
INSERT INTO "settings" VALUES(2,'schedule.name','text','constant');
INSERT INTO "settings" VALUES(2,'schedule.peak_share','number',0.3);
INSERT INTO "settings" VALUES(2,'schedule.warmup_epochs','integer',0);
INSERT INTO "settings" VALUES(2,'schedule.warmup_steps','integer',0);
INSERT INTO "settings" VALUES(2,'trace.parameters','text','');
INSERT INTO "settings" VALUES(3,'batch.devices','integer',1);
INSERT INTO "settings" VALUES(3,'batch.effective','text','auto');
INSERT INTO "settings" VALUES(3,'batch.micro','integer',100);
INSERT INTO "settings" VALUES(3,'batch.reduction','text','mean');
INSERT INTO "settings" VALUES(3,'batch.schedule','text','');
INSERT INTO "settings" VALUES(3,'batch.steps','integer',3);
INSERT INTO "settings" VALUES(3,'batch.tail','text','flush');
INSERT INTO "settings" VALUES(3,'checkpoint.best','boolean',1);
INSERT INTO "settings" VALUES(3,'checkpoint.every','text','10 minutes');
INSERT INTO "settings" VALUES(3,'checkpoint.keep','integer',2);
INSERT INTO "settings" VALUES(3,'data.augment','text','');
INSERT INTO "settings" VALUES(3,'data.fit','text','stretch');
INSERT INTO "settings" VALUES(3,'data.image_size','text','auto');
INSERT INTO "settings" VALUES(3,'data.name','text','digits');
INSERT INTO "settings" VALUES(3,'data.normalize','text','auto');
INSERT INTO "settings" VALUES(3,'data.path','text','');
INSERT INTO "settings" VALUES(3,'data.shuffle','boolean',1);
INSERT INTO "settings" VALUES(3,'data.test','integer',0);
INSERT INTO "settings" VALUES(3,'data.unreadable','text','refuse');
INSERT INTO "settings" VALUES(3,'data.validation','integer',0);
INSERT INTO "settings" VALUES(3,'memory.budget','text','none');
INSERT INTO "settings" VALUES(3,'memory.metering','text','window');
INSERT INTO "settings" VALUES(3,'model.batchnorm_momentum','number',0.1);
INSERT INTO "settings" VALUES(3,'model.batchnorm_precise','boolean',0);
INSERT INTO "settings" VALUES(3,'model.batchnorm_window','boolean',0);
INSERT INTO "settings" VALUES(3,'model.groups','text','auto');
INSERT INTO "settings" VALUES(3,'model.init','text','torch');
INSERT INTO "settings" VALUES(3,'model.init_from','text','');
INSERT INTO "settings" VALUES(3,'model.init_sigma','number',0.02);
INSERT INTO "settings" VALUES(3,'model.name','text','mlp');
INSERT INTO "settings" VALUES(3,'model.norm','text','none');
INSERT INTO "settings" VALUES(3,'model.stem','text','imagenet');
INSERT INTO "settings" VALUES(3,'model.widths','text','4');
INSERT INTO "settings" VALUES(3,'name','text','diverged');
INSERT INTO "settings" VALUES(3,'optimizer.beta1','number',0.9);
INSERT INTO "settings" VALUES(3,'optimizer.beta2','number',0.999);
INSERT INTO "settings" VALUES(3,'optimizer.clip_norm','number',0.0);
INSERT INTO "settings" VALUES(3,'optimizer.clip_value','number',0.0);
INSERT INTO "settings" VALUES(3,'optimizer.dampening','number',0.0);
INSERT INTO "settings" VALUES(3,'optimizer.decay_norm_and_bias','boolean',1);
INSERT INTO "settings" VALUES(3,'optimizer.ema','number',0.0);
INSERT INTO "settings" VALUES(3,'optimizer.eps','number',1.0e-08);
INSERT INTO "settings" VALUES(3,'optimizer.lr','number',1000000000.0);
INSERT INTO "settings" VALUES(3,'optimizer.lr_rule','text','none');
INSERT INTO "settings" VALUES(3,'optimizer.momentum','number',0.9);
INSERT INTO "settings" VALUES(3,'optimizer.name','text','sgd');
INSERT INTO "settings" VALUES(3,'optimizer.nesterov','boolean',0);
INSERT INTO "settings" VALUES(3,'optimizer.weight_decay','number',0.0);
INSERT INTO "settings" VALUES(3,'run.deterministic','boolean',0);
INSERT INTO "settings" VALUES(3,'run.device','text','cpu');
INSERT INTO "settings" VALUES(3,'run.epochs','integer',10);
INSERT INTO "settings" VALUES(3,'run.evaluate_every','text','1 epoch');
INSERT INTO "settings" VALUES(3,'run.evaluation_batch','integer',512);
INSERT INTO "settings" VALUES(3,'run.limit_steps','integer',5);
INSERT INTO "settings" VALUES(3,'run.memory_format','text','auto');
INSERT INTO "settings" VALUES(3,'run.not_finite','text','end');
INSERT INTO "settings" VALUES(3,'run.precision','text','float32');
INSERT INTO "settings" VALUES(3,'run.seed','integer',1);
INSERT INTO "settings" VALUES(3,'run.tf32','boolean',0);
INSERT INTO "settings" VALUES(3,'run.threads','integer',1);
INSERT INTO "settings" VALUES(3,'schedule.every','text','30 epochs');
INSERT INTO "settings" VALUES(3,'schedule.final_factor','number',0.0);
INSERT INTO "settings" VALUES(3,'schedule.gamma','number',0.1);
INSERT INTO "settings" VALUES(3,'schedule.milestones','text','');
INSERT INTO "settings" VALUES(3,'schedule.name','text','constant');
INSERT INTO "settings" VALUES(3,'schedule.peak_share','number',0.3);
INSERT INTO "settings" VALUES(3,'schedule.warmup_epochs','integer',0);
INSERT INTO "settings" VALUES(3,'schedule.warmup_steps','integer',0);
INSERT INTO "settings" VALUES(3,'trace.parameters','text','');
INSERT INTO "settings" VALUES(4,'batch.devices','integer',1);
INSERT INTO "settings" VALUES(4,'batch.effective','text','auto');
INSERT INTO "settings" VALUES(4,'batch.micro','integer',3000);
INSERT INTO "settings" VALUES(4,'batch.reduction','text','mean');
INSERT INTO "settings" VALUES(4,'batch.schedule','text','');
INSERT INTO "settings" VALUES(4,'batch.steps','integer',1);
INSERT INTO "settings" VALUES(4,'batch.tail','text','flush');
INSERT INTO "settings" VALUES(4,'checkpoint.best','boolean',1);
INSERT INTO "settings" VALUES(4,'checkpoint.every','text','10 minutes');
INSERT INTO "settings" VALUES(4,'checkpoint.keep','integer',1);
INSERT INTO "settings" VALUES(4,'data.augment','text','');
INSERT INTO "settings" VALUES(4,'data.fit','text','stretch');
INSERT INTO "settings" VALUES(4,'data.image_size','text','auto');
INSERT INTO "settings" VALUES(4,'data.name','text','digits');
INSERT INTO "settings" VALUES(4,'data.normalize','text','auto');
INSERT INTO "settings" VALUES(4,'data.path','text','');
INSERT INTO "settings" VALUES(4,'data.shuffle','boolean',1);
INSERT INTO "settings" VALUES(4,'data.test','integer',0);
INSERT INTO "settings" VALUES(4,'data.unreadable','text','refuse');
INSERT INTO "settings" VALUES(4,'data.validation','integer',0);
INSERT INTO "settings" VALUES(4,'memory.budget','text','3MiB');
INSERT INTO "settings" VALUES(4,'memory.metering','text','window');
INSERT INTO "settings" VALUES(4,'model.batchnorm_momentum','number',0.1);
INSERT INTO "settings" VALUES(4,'model.batchnorm_precise','boolean',0);
INSERT INTO "settings" VALUES(4,'model.batchnorm_window','boolean',0);
INSERT INTO "settings" VALUES(4,'model.groups','text','auto');
INSERT INTO "settings" VALUES(4,'model.init','text','torch');
INSERT INTO "settings" VALUES(4,'model.init_from','text','');
INSERT INTO "settings" VALUES(4,'model.init_sigma','number',0.02);
INSERT INTO "settings" VALUES(4,'model.name','text','mlp');
INSERT INTO "settings" VALUES(4,'model.norm','text','none');
INSERT INTO "settings" VALUES(4,'model.stem','text','imagenet');
INSERT INTO "settings" VALUES(4,'model.widths','text','4');
INSERT INTO "settings" VALUES(4,'name','text','short');
INSERT INTO "settings" VALUES(4,'optimizer.beta1','number',0.9);
INSERT INTO "settings" VALUES(4,'optimizer.beta2','number',0.999);
INSERT INTO "settings" VALUES(4,'optimizer.clip_norm','number',0.0);
INSERT INTO "settings" VALUES(4,'optimizer.clip_value','number',0.0);
INSERT INTO "settings" VALUES(4,'optimizer.dampening','number',0.0);
INSERT INTO "settings" VALUES(4,'optimizer.decay_norm_and_bias','boolean',1);
INSERT INTO "settings" VALUES(4,'optimizer.ema','number',0.0);
INSERT INTO "settings" VALUES(4,'optimizer.eps','number',1.0e-08);
INSERT INTO "settings" VALUES(4,'optimizer.lr','number',0.1);
INSERT INTO "settings" VALUES(4,'optimizer.lr_rule','text','none');
INSERT INTO "settings" VALUES(4,'optimizer.momentum','number',0.9);
INSERT INTO "settings" VALUES(4,'optimizer.name','text','sgd');
INSERT INTO "settings" VALUES(4,'optimizer.nesterov','boolean',0);
INSERT INTO "settings" VALUES(4,'optimizer.weight_decay','number',0.0);
INSERT INTO "settings" VALUES(4,'run.deterministic','boolean',0);
INSERT INTO "settings" VALUES(4,'run.device','text','cpu');
INSERT INTO "settings" VALUES(4,'run.epochs','integer',10);
INSERT INTO "settings" VALUES(4,'run.evaluate_every','text','1 epoch');
INSERT INTO "settings" VALUES(4,'run.evaluation_batch','integer',512);
INSERT INTO "settings" VALUES(4,'run.limit_steps','integer',3);
INSERT INTO "settings" VALUES(4,'run.memory_format','text','auto');
INSERT INTO "settings" VALUES(4,'run.not_finite','text','end');
INSERT INTO "settings" VALUES(4,'run.precision','text','float32');
INSERT INTO "settings" VALUES(4,'run.seed','integer',1);
INSERT INTO "settings" VALUES(4,'run.tf32','boolean',0);
INSERT INTO "settings" VALUES(4,'run.threads','integer',1);
INSERT INTO "settings" VALUES(4,'schedule.every','text','30 epochs');
INSERT INTO "settings" VALUES(4,'schedule.final_factor','number',0.0);
INSERT INTO "settings" VALUES(4,'schedule.gamma','number',0.1);
INSERT INTO "settings" VALUES(4,'schedule.milestones','text','');
INSERT INTO "settings" VALUES(4,'schedule.name','text','constant');
INSERT INTO "settings" VALUES(4,'schedule.peak_share','number',0.3);
INSERT INTO "settings" VALUES(4,'schedule.warmup_epochs','integer',0);
INSERT INTO "settings" VALUES(4,'schedule.warmup_steps','integer',0);
INSERT INTO "settings" VALUES(4,'trace.parameters','text','');
CREATE TABLE steps (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    window_samples INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    loss ANY NOT NULL,
    learning_rate ANY NOT NULL,
    gradient_norm ANY NOT NULL,
    step_ms ANY NOT NULL,
    data_ms ANY NOT NULL,
    forward_ms ANY NOT NULL,
    backward_ms ANY NOT NULL,
    optimizer_ms ANY NOT NULL,
    peak_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, micro_batches, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "steps" VALUES(1,1,1,3,300,1,0.009076871,300,1,2.32394780476888040965e+00,0.1,8.79573822021484375e-01,8.23876700000000106172e+00,0.814208,1.071158,5.894285,0.413501,11570697);
INSERT INTO "steps" VALUES(1,1,2,6,600,1,0.011212675,300,1,2.2797319030761720171e+00,0.1,9.34297323226928710937e-01,2.0694489999999996499e+00,0.517714,4.07410999999999967613e-01,1.019081,0.117078,11570697);
INSERT INTO "steps" VALUES(1,1,3,9,900,1,0.017736954,300,1,2.16995574951171876776e+00,0.1,8.6303997039794921875e-01,6.486249,5.09531000000000067196e-01,0.395827,5.40927,0.166341,11570697);
INSERT INTO "steps" VALUES(1,1,4,12,1200,1,0.03029622,300,1,2.14703175862630191161e+00,0.1,7.939891815185546875e-01,2.38894600000000023598e+00,0.619686,0.510963,1.069976,0.164597,11570697);
INSERT INTO "steps" VALUES(1,1,5,15,1500,1,0.032381239,300,1,2.05912256876627619561e+00,0.1,7.08057045936584472656e-01,2.041588,0.548244,3.5617299999999996185e-01,9.03415000000000079083e-01,0.228226,11570697);
INSERT INTO "steps" VALUES(1,1,6,18,1800,1,0.038759155,300,1,1.98799565633138031195e+00,0.1,6.64090335369110107421e-01,5.555462,1.92165400000000019531e+00,2.435813,1.04538,0.144189,11570697);
INSERT INTO "steps" VALUES(2,1,1,3,300,1,0.003897971,300,1,2.31400538126627619561e+00,0.1,8.59693348407745361328e-01,3.622447,6.94286000000000069753e-01,1.044167,1.60475299999999987399e+00,0.244396,11554949);
INSERT INTO "steps" VALUES(2,1,2,6,600,1,0.010934266,300,1,2.2773477172851563921e+00,0.1,7.11188495159149169921e-01,7.01662700000000061351e+00,0.351807,0.33753,6.222766,0.099185,11554949);
INSERT INTO "steps" VALUES(2,1,3,9,900,1,0.012188535,300,1,2.23593902587890625e+00,0.1,6.52423322200775146484e-01,1.22597699999999987241e+00,0.356455,0.253943,0.55235,0.055284,11554949);
INSERT INTO "steps" VALUES(2,1,4,12,1200,1,0.018921383,300,1,2.12274408976237,0.1,0.777104377746582,6.718081,5.094794,0.953598,0.581094,0.085159,11554949);
INSERT INTO "steps" VALUES(2,1,5,15,1500,1,0.028874108,300,1,2.06194524129231782083e+00,0.1,0.856794536113739,1.42725200000000018718e+00,0.382404,0.311301,0.629594,0.09152,11554949);
INSERT INTO "steps" VALUES(2,2,6,18,1800,1,0.047455967,300,1,2.05350621541341160636e+00,0.1,8.664455413818359375e-01,3.700132,0.443927,0.82569,2.086232,0.293799,11554949);
INSERT INTO "steps" VALUES(2,2,7,21,2100,1,0.048746564,300,1,1.87663447062174482127e+00,0.1,6.55749976634979248046e-01,1.272934,0.308555,0.268822,6.38911999999999924426e-01,0.051295,11554949);
INSERT INTO "steps" VALUES(2,2,8,24,2400,1,0.053182639,300,1,1.8587774658203124467e+00,0.1,7.25624322891235351562e-01,4.42290000000000116386e+00,0.283409,3.519043,0.559133,0.057998,11554949);
INSERT INTO "steps" VALUES(3,1,1,3,300,1,0.003300697,300,1,2.31400538126627619561e+00,1000000000.0,8.59693348407745361328e-01,3.06271300000000046281e+00,0.637259,0.860164,1.296417,0.238095,11554949);
INSERT INTO "steps" VALUES(3,1,2,6,600,1,0.008912675,300,1,1.03519917689606416003e+17,1000000000.0,2617448192.0,5.59265100000000092705e+00,0.369881,0.298487,4.846288,0.073557,11554949);
INSERT INTO "steps" VALUES(3,1,3,9,900,1,0.010142278,300,1,2.9501111804369035501e+31,1000000000.0,9.32841899981537280017e+16,1.213523,0.360632,0.251841,0.550346,0.047158,11554949);
INSERT INTO "steps" VALUES(3,1,4,12,1200,1,0.011207084,300,0,'nan',1000000000.0,'nan',1.05098,2.85552999999999945757e-01,0.235599,0.490194,0.036468,11554949);
CREATE TABLE summaries (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    metric TEXT NOT NULL,
    final ANY NOT NULL,
    best ANY NOT NULL,
    best_step INTEGER NOT NULL,
    min ANY NOT NULL,
    max ANY NOT NULL,
    PRIMARY KEY (run_id, metric)
) STRICT, WITHOUT ROWID;
INSERT INTO "summaries" VALUES(1,'backward_ms',1.04538,9.03415000000000079083e-01,5,9.03415000000000079083e-01,5.894285);
INSERT INTO "summaries" VALUES(1,'data_ms',1.92165400000000019531e+00,5.09531000000000067196e-01,3,5.09531000000000067196e-01,1.92165400000000019531e+00);
INSERT INTO "summaries" VALUES(1,'forward_ms',2.435813,3.5617299999999996185e-01,5,3.5617299999999996185e-01,2.435813);
INSERT INTO "summaries" VALUES(1,'gradient_norm',6.64090335369110107421e-01,6.64090335369110107421e-01,6,6.64090335369110107421e-01,9.34297323226928710937e-01);
INSERT INTO "summaries" VALUES(1,'learning_rate',0.1,0.1,1,0.1,0.1);
INSERT INTO "summaries" VALUES(1,'loss',1.98799565633138031195e+00,1.98799565633138031195e+00,6,1.98799565633138031195e+00,2.32394780476888040965e+00);
INSERT INTO "summaries" VALUES(1,'optimizer_ms',0.144189,0.117078,2,0.117078,0.413501);
INSERT INTO "summaries" VALUES(1,'peak_bytes',11570697.0,11570697.0,1,11570697.0,11570697.0);
INSERT INTO "summaries" VALUES(1,'step_ms',5.555462,2.041588,5,2.041588,8.23876700000000106172e+00);
INSERT INTO "summaries" VALUES(1,'test_accuracy',0.2455,0.2455,6,0.154,0.2455);
INSERT INTO "summaries" VALUES(1,'test_loss',1.98062918090820305749e+00,1.98062918090820305749e+00,6,1.98062918090820305749e+00,2.18593136596679693539e+00);
INSERT INTO "summaries" VALUES(1,'throughput',5.40009093753138804446e+04,1.46944437369341903828e+05,5,3.64132157154098385948e+04,1.46944437369341903828e+05);
INSERT INTO "summaries" VALUES(1,'validation_accuracy',0.2625,0.2625,6,1.69166666666666659635e-01,0.2625);
INSERT INTO "summaries" VALUES(1,'validation_loss',1.94224561055501299122e+00,1.94224561055501299122e+00,6,1.94224561055501299122e+00,2.15652796427408866009e+00);
INSERT INTO "summaries" VALUES(2,'backward_ms',0.559133,0.55235,3,0.55235,6.222766);
INSERT INTO "summaries" VALUES(2,'data_ms',0.283409,0.283409,8,0.283409,5.094794);
INSERT INTO "summaries" VALUES(2,'forward_ms',3.519043,0.253943,3,0.253943,3.519043);
INSERT INTO "summaries" VALUES(2,'gradient_norm',7.25624322891235351562e-01,6.52423322200775146484e-01,3,6.52423322200775146484e-01,8.664455413818359375e-01);
INSERT INTO "summaries" VALUES(2,'learning_rate',0.1,0.1,1,0.1,0.1);
INSERT INTO "summaries" VALUES(2,'loss',1.8587774658203124467e+00,1.8587774658203124467e+00,8,1.8587774658203124467e+00,2.31400538126627619561e+00);
INSERT INTO "summaries" VALUES(2,'optimizer_ms',0.057998,0.051295,7,0.051295,0.293799);
INSERT INTO "summaries" VALUES(2,'peak_bytes',11554949.0,11554949.0,1,11554949.0,11554949.0);
INSERT INTO "summaries" VALUES(2,'step_ms',4.42290000000000116386e+00,1.22597699999999987241e+00,3,1.22597699999999987241e+00,7.01662700000000061351e+00);
INSERT INTO "summaries" VALUES(2,'test_accuracy',0.299,0.299,8,0.2035,0.299);
INSERT INTO "summaries" VALUES(2,'test_loss',1.81286807250976567118e+00,1.81286807250976567118e+00,8,1.81286807250976567118e+00,2.07654614257812486499e+00);
INSERT INTO "summaries" VALUES(2,'throughput',6.78288001085260621033e+04,2.44702796218852425226e+05,3,4.27555861242160899562e+04,2.44702796218852425226e+05);
INSERT INTO "summaries" VALUES(3,'backward_ms',0.490194,0.490194,4,0.490194,4.846288);
INSERT INTO "summaries" VALUES(3,'data_ms',2.85552999999999945757e-01,2.85552999999999945757e-01,4,2.85552999999999945757e-01,0.637259);
INSERT INTO "summaries" VALUES(3,'forward_ms',0.235599,0.235599,4,0.235599,0.860164);
INSERT INTO "summaries" VALUES(3,'gradient_norm','nan',8.59693348407745361328e-01,1,8.59693348407745361328e-01,9.32841899981537280017e+16);
INSERT INTO "summaries" VALUES(3,'learning_rate',1000000000.0,1000000000.0,1,1000000000.0,1000000000.0);
INSERT INTO "summaries" VALUES(3,'loss','nan',2.31400538126627619561e+00,1,2.31400538126627619561e+00,2.9501111804369035501e+31);
INSERT INTO "summaries" VALUES(3,'optimizer_ms',0.036468,0.036468,4,0.036468,0.238095);
INSERT INTO "summaries" VALUES(3,'peak_bytes',11554949.0,11554949.0,1,11554949.0,11554949.0);
INSERT INTO "summaries" VALUES(3,'step_ms',1.05098,1.05098,4,1.05098,5.59265100000000092705e+00);
INSERT INTO "summaries" VALUES(3,'throughput',2.85447867704428266746e+05,2.85447867704428266746e+05,4,5.36418238863823135026e+04,2.85447867704428266746e+05);
CREATE TABLE traces (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    checksum INTEGER NOT NULL,
    value_1 ANY,
    value_2 ANY,
    value_3 ANY,
    value_4 ANY,
    PRIMARY KEY (run_id, step, micro_batches, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "traces" VALUES(1,1,1,1,100,1,0.003204177,640179894,1.84022579342126846313e-02,-1.57635100185871124267e-02,-6.92362478002905845642e-03,1.67631767690181732177e-02);
INSERT INTO "traces" VALUES(1,1,1,2,200,1,0.003834042,640179894,1.84022579342126846313e-02,-1.57635100185871124267e-02,-6.92362478002905845642e-03,1.67631767690181732177e-02);
INSERT INTO "traces" VALUES(1,1,1,3,300,1,0.009114772,1772841061,1.80189665406942367553e-02,-1.61379780620336532592e-02,-7.37413670867681503295e-03,1.62284746766090393066e-02);
INSERT INTO "traces" VALUES(1,1,2,4,400,1,0.009838371,1772841061,1.80189665406942367553e-02,-1.61379780620336532592e-02,-7.37413670867681503295e-03,1.62284746766090393066e-02);
INSERT INTO "traces" VALUES(1,1,2,5,500,1,0.010511847,1772841061,1.80189665406942367553e-02,-1.61379780620336532592e-02,-7.37413670867681503295e-03,1.62284746766090393066e-02);
INSERT INTO "traces" VALUES(1,1,2,6,600,1,0.011234596,699737374,1.75135042518377304077e-02,-1.6660427674651145935e-02,-7.81174143776297569274e-03,1.56631246209144592285e-02);
INSERT INTO "traces" VALUES(1,1,3,7,700,1,0.01184282,699737374,1.75135042518377304077e-02,-1.6660427674651145935e-02,-7.81174143776297569274e-03,1.56631246209144592285e-02);
INSERT INTO "traces" VALUES(1,1,3,8,800,1,0.016750755,699737374,1.75135042518377304077e-02,-1.6660427674651145935e-02,-7.81174143776297569274e-03,1.56631246209144592285e-02);
INSERT INTO "traces" VALUES(1,1,3,9,900,1,0.017760678,3036430394,1.59178003668785095214e-02,-1.81783381849527359008e-02,-9.15292929857969284057e-03,1.40980714932084083557e-02);
INSERT INTO "traces" VALUES(1,1,4,10,1000,1,0.028933588,3036430394,1.59178003668785095214e-02,-1.81783381849527359008e-02,-9.15292929857969284057e-03,1.40980714932084083557e-02);
INSERT INTO "traces" VALUES(1,1,4,11,1100,1,0.029547233,3036430394,1.59178003668785095214e-02,-1.81783381849527359008e-02,-9.15292929857969284057e-03,1.40980714932084083557e-02);
INSERT INTO "traces" VALUES(1,1,4,12,1200,1,0.030318722,3047370004,1.47452773526310920715e-02,-1.92552786320447921752e-02,-9.92411281913518905639e-03,1.31612094119191169738e-02);
INSERT INTO "traces" VALUES(1,1,5,13,1300,1,0.031009571,3047370004,1.47452773526310920715e-02,-1.92552786320447921752e-02,-9.92411281913518905639e-03,1.31612094119191169738e-02);
INSERT INTO "traces" VALUES(1,1,5,14,1400,1,0.031597497,3047370004,1.47452773526310920715e-02,-1.92552786320447921752e-02,-9.92411281913518905639e-03,1.31612094119191169738e-02);
INSERT INTO "traces" VALUES(1,1,5,15,1500,1,0.033095522,4174956843,1.36815859004855155944e-02,-2.03440673649311065673e-02,-1.07684461399912834167e-02,1.19592910632491111755e-02);
INSERT INTO "traces" VALUES(1,1,6,16,1600,1,0.036043009,4174956843,1.36815859004855155944e-02,-2.03440673649311065673e-02,-1.07684461399912834167e-02,1.19592910632491111755e-02);
INSERT INTO "traces" VALUES(1,1,6,17,1700,1,0.038040866,4174956843,1.36815859004855155944e-02,-2.03440673649311065673e-02,-1.07684461399912834167e-02,1.19592910632491111755e-02);
INSERT INTO "traces" VALUES(1,1,6,18,1800,1,0.038783922,2462474731,1.18565857410430908203e-02,-2.20523774623870849609e-02,-1.22117036953568458557e-02,1.0150670073926448822e-02);
CREATE INDEX markers_of_run ON markers (run_id, attempt, step);
CREATE INDEX epochs_of_attempt ON epochs (run_id, attempt, step);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',4);
INSERT INTO "sqlite_sequence" VALUES('markers',12);
COMMIT;
